import { defineTexts } from '../text/define-texts.ts';

export const signInTexts = defineTexts(
  'sign-in',
  {
    title: 'Iniciar sesión',
    'again.title': 'Tu sesión terminó',
    'again.text': 'Inicia sesión otra vez. La página queda como está: nada de lo que escribiste se pierde.',
    'development.text': 'Entorno de desarrollo en este equipo: entra sin contraseña a la organización de prueba.',
    'development.action': 'Entrar al entorno de desarrollo',
    'openid.text': 'Te llevaremos a la página de tu organización para identificarte, en una ventana aparte.',
    'openid.action': 'Continuar',
    'token.text':
      'Este entorno de prueba no tiene proveedor de identidad: quien lo opera crea una sesión y te la entrega.',
    'token.label': 'Sesión',
    'token.action': 'Entrar',
    'token.refused': 'Esta sesión no es válida o ya terminó. Pide una nueva.',
    'popup.blocked':
      'El navegador no abrió la ventana. Permite ventanas emergentes para este sitio e intenta de nuevo.',
    'popup.closed': 'La ventana se cerró antes de terminar. Intenta de nuevo.',
    'no-organization':
      'Tu usuario no pertenece a ninguna organización. Pide a quien administra las cuentas que te agregue.',
    intro: 'Conecta tu empresa con el SII, los bancos y Mercado Público, y mantén sus datos al día.',
  },
  {
    title: 'Sign in',
    'again.title': 'Your session is over',
    'again.text': 'Sign in again. The page stays as it is: nothing you typed is lost.',
    'development.text': 'Development on this machine: enters the test organization without a password.',
    'development.action': 'Enter the development environment',
    'openid.text': 'Your organization’s sign-in page opens in a window of its own.',
    'openid.action': 'Continue',
    'token.text': 'This trial stage has no identity provider: its operator creates a session and gives it to you.',
    'token.label': 'Session',
    'token.action': 'Enter',
    'token.refused': 'This session is not valid, or is over. Ask for a new one.',
    'popup.blocked': 'The browser did not open the window. Allow pop-ups for this site and try again.',
    'popup.closed': 'The window was closed before the end. Try again.',
    'no-organization': 'Your user belongs to no organization. Ask the account administrator to add you.',
    intro:
      'Connect your company with the tax authority, its banks and public procurement, and keep the data up to date.',
  },
);
