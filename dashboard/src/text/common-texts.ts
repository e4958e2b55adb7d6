import { defineTexts } from './define-texts.ts';

/** Texts that every page uses. */
export const common = defineTexts(
  'common',
  {
    product: 'Conexiones de datos',
    'action.retry': 'Intentar de nuevo',
    'action.cancel': 'Cancelar',
    'action.close': 'Cerrar',
    'action.save': 'Guardar',
    'action.delete': 'Eliminar',
    'action.copy': 'Copiar',
    'action.copied': 'Copiado',
    'action.back': 'Volver',
    'state.loading': 'Cargando…',
    'state.none': 'sin datos',
    'time.never': 'nunca',
    yes: 'Sí',
    no: 'No',
  },
  {
    product: 'Data connections',
    'action.retry': 'Try again',
    'action.cancel': 'Cancel',
    'action.close': 'Close',
    'action.save': 'Save',
    'action.delete': 'Delete',
    'action.copy': 'Copy',
    'action.copied': 'Copied',
    'action.back': 'Back',
    'state.loading': 'Loading…',
    'state.none': 'no data',
    'time.never': 'never',
    yes: 'Yes',
    no: 'No',
  },
);
