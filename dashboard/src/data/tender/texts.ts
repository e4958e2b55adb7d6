import { defineTexts } from '../../text/define-texts.ts';

export const tenderTexts = defineTexts(
  'tender',
  {
    'key.title': 'Las licitaciones se leen con una clave de API',
    'key.text':
      'El servicio no entrega datos de licitaciones con la sesión. Usa una clave que ya tengas, o crea una que vale un día. La clave queda solo en esta página y se olvida al cerrarla.',
    'key.label': 'Clave de API',
    'key.use': 'Usar esta clave',
    'key.create': 'Crear una clave por un día',
    'key.name': 'Panel: licitaciones',
    'key.refused': 'El servicio no aceptó esta clave: revisa que esté completa y vigente.',
    'key.forget': 'Olvidar la clave',
    'code.label': 'Código de la licitación',
    'code.open': 'Ver',
    'code.none': 'Escribe el código de una licitación, por ejemplo 1509-5-L114.',
    'file.download': 'Descargar {{name}}',
  },
  {
    'key.title': 'Tenders are read with an API key',
    'key.text':
      'Tenders can only be read with an API key. Use a key that you have, or create one that is valid for a day. Only this page stores the key, and it is removed when you close the page.',
    'key.label': 'API key',
    'key.use': 'Use this key',
    'key.create': 'Create a key for one day',
    'key.name': 'Dashboard: tenders',
    'key.refused': 'The service did not accept this key: check that it is complete and still valid.',
    'key.forget': 'Forget the key',
    'code.label': 'Code of the tender',
    'code.open': 'View',
    'code.none': 'Type the code of a tender, for example 1509-5-L114.',
    'file.download': 'Download {{name}}',
  },
);
