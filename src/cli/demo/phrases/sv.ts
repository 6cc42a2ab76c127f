import type { Phrases } from './topics.ts';

/** Swedish. */
export const sv: Phrases = {
  facts: 'Sovrum: {beds}, badrum: {baths}, byggyta: {built} m².',
  beach:
    'En kort promenad från sanden, med strandpromenaden, strandbarerna och morgonmarknaden så nära att bilen kan stå hemma.',
  golf: 'Beläget intill banorna på en av kustens välkända golfbanor, med klubbhuset och dess restaurang bara några minuter bort.',
  town: 'Mitt i hjärtat av {town}, där kaféer, butiker, saluhallen och busshållplatsen alla ligger längs samma korta promenad.',
  countryside:
    'Omgivet av oliv- och mandelträd vid en lugn väg, varifrån det ändå bara är en kort bilresa till {town} och motorvägen.',
  light:
    'Stora fönster och en genomtänkt planlösning släpper in dagsljus i alla rum, från morgonens första kaffe till solnedgången.',
  living:
    'Vardagsrummet och matplatsen öppnar sig genom skjutdörrar mot terrassen, så att man lever utomhus större delen av året.',
  kitchen: 'Köket är fullt utrustat med vitvaror av god kvalitet, bänkskivor av sten och en separat tvättstuga.',
  bedrooms:
    'Sovrummen är tysta och rymliga med inbyggda garderober; det största har eget badrum och utgång till terrassen.',
  bathrooms: 'Badrummen är inredda i naturmaterial, med rymliga duschar och golvvärme för vinterns få svala veckor.',
  workspace:
    'Ett lugnt rum med fiber fungerar som arbetsrum eller gästrum, så att arbete och semester går bra ihop här.',
  terrace:
    'Terrassen är djup nog för både ett långbord och solstolar, ligger i lä för vinden och har sol större delen av dagen.',
  sea: 'Härifrån sträcker sig utsikten över Medelhavet till Gibraltar och klara dagar ända till Nordafrikas berg.',
  mountain:
    'I norr reser sig bergskedjan, vars färger skiftar timme för timme och som håller sommarnätterna behagligt svala.',
  pool: 'Poolen är omgiven av gräsmatta och höga palmer och har sol från tidig morgon till sen kväll.',
  garden:
    'Trädgården är planterad med bougainvillea, citrusträd och jasmin och vattnas automatiskt, så att den kräver lite arbete.',
  garage: 'En garageplats och ett förråd ingår, vilket är värt mycket på en plats som är så populär på sommaren.',
  climate:
    'Luftkonditionering för sommaren och värme för vintern finns i alla rum, med låga driftskostnader året runt.',
  newBuild:
    'Byggt enligt dagens standard och med tio års byggförsäkring; överlämnas med alla tillstånd och är klart för inflyttning.',
  community:
    'Föreningen är liten och välskött, med trädgårdar, fastighetsskötare och bevakning, och avgiften har knappt ändrats på flera år.',
  amenities:
    'Mataffärer, apotek, en vårdcentral och ett gott utbud av restauranger nås till fots eller på några minuter med bil.',
  airport:
    'Málagas flygplats ligger mindre än en timme bort via motorvägen, och bussarna längs kusten gör många resor ännu enklare.',
  schools:
    'Flera internationella skolor och idrottsklubbar ligger i närheten, vilket gör området omtyckt av familjer året runt.',
  sunshine:
    'Med mer än trehundra soldagar om året, milda vintrar och havsbris på sommaren är klimatet i sig ett skäl att komma.',
  market:
    'Efterfrågan i {town} har varit stabil i många år, och det är sällan något av denna kvalitet och med detta läge är till salu länge.',
  rental: 'Det hyrs ut möblerat och fullt utrustat, linne ingår, för en vecka, en säsong eller hela året.',
  plot: 'Alla anslutningar finns vid tomtgränsen, och ett skissförslag med ritningar kan ses på vårt kontor.',
  viewing:
    'Vi har nycklarna och visar gärna när som helst; för den som är utomlands ordnar vi också visning via videosamtal.',
};
