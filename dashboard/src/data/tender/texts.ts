import { defineTexts } from '../../text/define-texts.ts';

export const tenderTexts = defineTexts(
  'tender',
  {
    'code.label': 'Código de la licitación',
    'code.open': 'Ver',
    'code.none': 'Escribe el código de una licitación, por ejemplo 1509-5-L114.',
    'file.download': 'Descargar {{name}}',
  },
  {
    'code.label': 'Code of the tender',
    'code.open': 'View',
    'code.none': 'Type the code of a tender, for example 1509-5-L114.',
    'file.download': 'Download {{name}}',
  },
);
