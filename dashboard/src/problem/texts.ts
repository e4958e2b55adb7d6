import { defineTexts } from '../text/define-texts.ts';

export const problemTexts = defineTexts(
  'problem',
  {
    'lost.title': 'Sin conexión con el servicio',
    'lost.text': 'No llegó respuesta. Revisa tu conexión a internet; lo que escribiste sigue aquí.',
    'session.title': 'Tu sesión terminó',
    'session.text': 'Vuelve a iniciar sesión para continuar; lo que escribiste sigue aquí.',
    'session.action': 'Iniciar sesión',
    'server.title': 'Algo falló de nuestro lado',
    'server.text':
      'No se perdió nada de lo que escribiste. Intenta de nuevo en un momento; si sigue igual, avísanos con este número: {{requestId}}',
    'limit.title': 'Demasiadas solicitudes',
    'limit.text': 'Espera un minuto e intenta de nuevo.',
    'missing.home': 'Ir a las conexiones',
    'missing.title': 'No existe',
    'missing.text': 'Lo que buscas no existe o fue eliminado.',
    'refused.title': 'No se pudo hacer',
    'refused.unknown': 'El servicio no aceptó la solicitud ({{status}} {{code}}).',
  },
  {
    'lost.title': 'No connection to the service',
    'lost.text': 'No answer came. Check your internet connection; what you typed is still here.',
    'session.title': 'Your session is over',
    'session.text': 'Sign in again to continue; what you typed is still here.',
    'session.action': 'Sign in',
    'server.title': 'Something failed on our side',
    'server.text':
      'Nothing you typed is lost. Try again in a moment; if it stays like this, tell us this number: {{requestId}}',
    'limit.title': 'Too many requests',
    'limit.text': 'Wait a minute and try again.',
    'missing.home': 'Go to the connections',
    'missing.title': 'Not found',
    'missing.text': 'What you are looking for does not exist or was deleted.',
    'refused.title': 'It could not be done',
    'refused.unknown': 'The service did not accept the request ({{status}} {{code}}).',
  },
);
