import type { InLanguages } from '../texts/language.ts';

const ENGLISH = {
  signIn: 'Sign in',
  agency: 'Agency',
  agencyHint: 'Its code, such as COSTASUR',
  yourName: 'Your name',
  yourNameHint: "Leave it empty to use the agency's password, or the key of a portal.",
  password: 'Password or key',
  wrong: 'The agency, the name or the password is wrong.',
  wrongCode: 'This code is not valid. Enter the one that the app shows now.',
  limited: 'Too many attempts. Try again in a minute.',
  expired: 'Your session has ended. Sign in to go on: what you typed is kept.',
  forPrograms: 'Connecting a program?',
  apiReference: 'API reference',
  enterCode: 'Enter the code',
  code: 'Code of six digits',
  codeHint: 'From your authenticator app.',
  resumeTitle: 'You are signed in again',
  resume: 'Nothing that you typed is lost. Go on to check it and save it.',
  goOn: 'Go on',
  discard: 'Discard what I typed',
};

const SPANISH: typeof ENGLISH = {
  signIn: 'Entrar',
  agency: 'Agencia',
  agencyHint: 'Su código, por ejemplo COSTASUR',
  yourName: 'Su nombre',
  yourNameHint: 'Déjelo vacío para usar la contraseña de la agencia o la clave de un portal.',
  password: 'Contraseña o clave',
  wrong: 'La agencia, el nombre o la contraseña no es correcto.',
  wrongCode: 'El código no es válido. Escriba el que muestra la aplicación en este momento.',
  limited: 'Demasiados intentos. Inténtelo de nuevo en un minuto.',
  expired: 'Su sesión ha terminado. Entre de nuevo para continuar: se conserva lo que ha escrito.',
  forPrograms: '¿Quiere conectar un programa?',
  apiReference: 'Referencia de la API',
  enterCode: 'Escriba el código',
  code: 'Código de seis cifras',
  codeHint: 'El de su aplicación de autenticación.',
  resumeTitle: 'Ha vuelto a entrar',
  resume: 'No se ha perdido nada de lo que escribió. Continúe para revisarlo y guardarlo.',
  goOn: 'Continuar',
  discard: 'Descartar lo que escribí',
};

export const SESSION: InLanguages<typeof ENGLISH> = { en: ENGLISH, es: SPANISH };
