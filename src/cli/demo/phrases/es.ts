import type { Phrases } from './topics.ts';

/** Spanish. */
export const es: Phrases = {
  facts: 'Dormitorios: {beds}, baños: {baths}, superficie construida: {built} m².',
  beach:
    'A un corto paseo de la arena, con el paseo marítimo, los chiringuitos y el mercadillo tan cerca que el coche puede quedarse en casa.',
  golf: 'Situado junto a las calles de uno de los campos de golf más conocidos de la costa, con la casa club y su restaurante a pocos minutos.',
  town: 'En pleno corazón de {town}, donde las cafeterías, las tiendas, el mercado y la parada de autobús forman parte del mismo paseo.',
  countryside:
    'Rodeado de olivos y almendros, en un camino tranquilo desde el que se llega en pocos minutos a {town} y a la autovía.',
  light:
    'Los grandes ventanales y una distribución bien pensada llevan la luz del día a cada estancia, desde el primer café hasta la puesta de sol.',
  living:
    'El salón comedor se abre a la terraza por puertas correderas, de modo que la mayor parte del año se vive al aire libre.',
  kitchen:
    'La cocina está totalmente equipada, con electrodomésticos de calidad, encimeras de piedra y un lavadero independiente.',
  bedrooms:
    'Los dormitorios son tranquilos y amplios, con armarios empotrados; el principal tiene baño propio y salida a la terraza.',
  bathrooms:
    'Los baños están acabados en materiales naturales, con duchas a ras de suelo y suelo radiante para las pocas semanas frescas del invierno.',
  workspace:
    'Una habitación tranquila con fibra óptica sirve de despacho o de cuarto de invitados, para que trabajo y vacaciones vayan de la mano.',
  terrace:
    'La terraza tiene fondo suficiente para una mesa larga y unas tumbonas, está protegida del viento y recibe sol casi todo el día.',
  sea: 'Desde aquí la vista se extiende sobre el Mediterráneo hasta Gibraltar y, en los días claros, hasta las montañas de África.',
  mountain:
    'Al norte se alza la sierra, cuyos colores cambian con las horas y que mantiene frescas las noches de verano.',
  pool: 'La piscina está rodeada de césped y palmeras adultas y recibe el sol desde la mañana temprano hasta el final de la tarde.',
  garden:
    'El jardín está plantado con buganvillas, cítricos y jazmines y tiene riego automático, por lo que da muy poco trabajo.',
  garage: 'Se incluyen plaza de garaje y trastero, algo muy valioso en un lugar tan concurrido durante el verano.',
  climate:
    'Hay aire acondicionado para el verano y calefacción para el invierno en toda la vivienda, con un consumo bajo durante todo el año.',
  newBuild:
    'Construido según la normativa actual y con seguro decenal, se entrega con todas las licencias y listo para entrar a vivir.',
  community:
    'La comunidad es pequeña y está bien gestionada, con jardines, conserje y seguridad, y sus cuotas apenas han cambiado en años.',
  amenities:
    'Supermercados, farmacias, centro de salud y una buena oferta de restaurantes quedan a pie o a pocos minutos en coche.',
  airport:
    'El aeropuerto de Málaga está a menos de una hora por autovía, y los autobuses de la costa facilitan muchos desplazamientos.',
  schools:
    'Cerca hay varios colegios internacionales y clubes deportivos, por lo que la zona gusta a las familias durante todo el año.',
  sunshine:
    'Con más de trescientos días de sol al año, inviernos suaves y brisa marina en verano, el clima es por sí solo un motivo para venir.',
  market:
    'La demanda en {town} se mantiene firme desde hace años, y lo que tiene esta calidad y esta situación no dura mucho en el mercado.',
  rental:
    'Se alquila amueblado y totalmente equipado, con ropa de casa incluida, por semanas, por temporada o por todo el año.',
  plot: 'La parcela tiene todos los servicios a pie de linde, y en nuestra oficina puede verse un anteproyecto con planos.',
  viewing:
    'Tenemos las llaves y lo enseñamos con gusto en cualquier momento; para quien esté fuera organizamos también visitas por videollamada.',
};
