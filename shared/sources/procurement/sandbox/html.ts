/** Pages of the portal: WebForms with hidden fields and escaped text. */
export const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '<br />');

export const span = (id: string, text: string): string => `<span id="${id}">${escaped(text)}</span>`;

export interface HtmlForm {
  action: string;
  viewState: string;
  hidden?: Readonly<Record<string, string>>;
}

const GENERATOR = 'CA0B0334';
export const makeValidation = (viewState: string): string => `/wEd${viewState.slice(4, 24)}`;
export const isOwnForm = (fields: Readonly<Record<string, string>>): boolean =>
  fields.__VIEWSTATEGENERATOR === GENERATOR && fields.__EVENTVALIDATION === makeValidation(fields.__VIEWSTATE ?? '');

const input = (name: string, value: string): string =>
  `<input type="hidden" name="${name}" id="${name.replaceAll('$', '_')}" value="${escaped(value)}" />`;

export const page = (title: string, body: string, form?: HtmlForm): string => {
  const inside = form
    ? `<form method="post" action="${escaped(form.action)}" id="form1">\n${[
        input('__EVENTTARGET', ''),
        input('__EVENTARGUMENT', ''),
        input('__VIEWSTATE', form.viewState),
        input('__VIEWSTATEGENERATOR', GENERATOR),
        input('__EVENTVALIDATION', makeValidation(form.viewState)),
        ...Object.entries(form.hidden ?? {}).map(([name, value]) => input(name, value)),
      ].join('\n')}\n${body}\n</form>`
    : body;
  return `<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN">\n<html>\n<head><title>${escaped(title)}</title></head>\n<body>\n${inside}\n</body>\n</html>\n`;
};

export const EXPIRED = page('Mercado Público', '<div class="error">Sesion expirada</div>');
