/** The portal's three data apps (tax.md §1, §3.1): one envelope, one session, and a table of codes for each. */
import type { JsonObject } from '../source.ts';
import { boletaCode, type CodeTable, guideCode, registerCode } from './app-codes.ts';
import { APPS_ORIGIN } from './wire.ts';

export interface DataApp {
  /** Folder at the host; names the app in a session. */
  name: string;
  /** Its page, which is also the `Referer` of its calls. */
  url: string;
  /** Its methods are below this. */
  serviceUrl: string;
  namespace: string;
  /** `metaData.page` of its calls. */
  page: JsonObject | null;
  readCode: CodeTable;
  /** Asked by the portal's page before its first data call, where it was seen (tax.md §2.5, step 6). */
  startMethod: string | null;
}

const appOf = (name: string, service: string, more: Omit<DataApp, 'name' | 'url' | 'serviceUrl'>): DataApp => {
  const url = `${APPS_ORIGIN}/${name}/`;
  return { name, url, serviceUrl: `${url}services/data/${service}`, ...more };
};

export const REGISTER_APP = appOf('consdcvinternetui', 'facadeService', {
  namespace: 'cl.sii.sdi.lob.diii.consdcv.data.api.interfaces.FacadeService',
  page: null,
  readCode: registerCode,
  startMethod: 'getDatosInicio',
});

/** Issued and received documents: the one place where dispatch guides are (tax.md §7). */
export const DOCUMENTS_APP = appOf('consemitidosinternetui', 'facadeService', {
  namespace: 'cl.sii.sdi.lob.diii.consemitidos.data.api.interfaces.FacadeService',
  page: null,
  readCode: guideCode,
  startMethod: null,
});

/** Daily receipts. Its `page` is not null, and holds nobody to its size: the whole month comes (tax.md §6.2). */
export const BOLETAS_APP = appOf('complementoscvui', 'facadeServiceBoletasDiarias', {
  namespace: 'cl.sii.sdi.lob.diii.dcv.data.impl.boletasdiarias.FacadeSettingApplicationService',
  page: { pageSize: 1, pageIndex: 1 },
  readCode: boletaCode,
  startMethod: null,
});
