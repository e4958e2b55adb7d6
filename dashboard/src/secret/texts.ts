import { defineTexts } from '../text/define-texts.ts';

export const secretTexts = defineTexts(
  'secret',
  {
    once: 'Copia este valor ahora y guárdalo en un lugar seguro: no se puede volver a mostrar.',
    done: 'Ya lo guardé',
    copy: 'Copiar',
    copied: 'Copiado',
    'copy.failed': 'El navegador no dejó copiar: selecciónalo y cópialo tú.',
  },
  {
    once: 'Copy this value now and keep it in a safe place: it cannot be shown again.',
    done: 'I have kept it',
    copy: 'Copy',
    copied: 'Copied',
    'copy.failed': 'The browser did not allow copying: select it and copy it yourself.',
  },
);
