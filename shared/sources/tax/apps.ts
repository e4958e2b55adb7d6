/**
 * The three data apps of the portal (tax.md §1, §3.1): they have the same envelope and the same session, and each app
 * has its own table of codes.
 */
import type { JsonObject } from '../source.ts';
import { boletaCode, type CodeTable, guideCode, registerCode } from './app-codes.ts';
import { APPS_ORIGIN } from './wire.ts';

export interface DataApp {
  /** Folder of the app at the host. The session identifies the app by this name. */
  name: string;
  /** The app's page, which is also the `Referer` of its calls. */
  url: string;
  /** Base address of the app's methods. */
  serviceUrl: string;
  namespace: string;
  /** `metaData.page` of the app's calls. */
  page: JsonObject | null;
  readCode: CodeTable;
  /**
   * Methods that the portal's page calls in this order before its first data call. Empty for an app where no client was
   * seen making these calls (tax.md §2.5, steps 5 and 6).
   */
  startCalls: readonly { service: string; method: string }[];
}

const appOf = (name: string, service: string, more: Omit<DataApp, 'name' | 'url' | 'serviceUrl'>): DataApp => {
  const url = `${APPS_ORIGIN}/${name}/`;
  return { name, url, serviceUrl: `${url}services/data/${service}`, ...more };
};

export const REGISTER_APP = appOf('consdcvinternetui', 'facadeService', {
  namespace: 'cl.sii.sdi.lob.diii.consdcv.data.api.interfaces.FacadeService',
  page: null,
  readCode: registerCode,
  startCalls: [
    { service: 'settingsService', method: 'consultarParametros' },
    { service: 'facadeService', method: 'getDatosInicio' },
  ],
});

/** Issued and received documents: the only app that shows dispatch guides (tax.md §7). */
export const DOCUMENTS_APP = appOf('consemitidosinternetui', 'facadeService', {
  namespace: 'cl.sii.sdi.lob.diii.consemitidos.data.api.interfaces.FacadeService',
  page: null,
  readCode: guideCode,
  startCalls: [],
});

/**
 * App of daily receipts. The app requires `page` but ignores the size in it and returns the whole month (tax.md §6.2).
 */
export const BOLETAS_APP = appOf('complementoscvui', 'facadeServiceBoletasDiarias', {
  namespace: 'cl.sii.sdi.lob.diii.dcv.data.impl.boletasdiarias.FacadeSettingApplicationService',
  page: { pageSize: 1, pageIndex: 1 },
  readCode: boletaCode,
  startCalls: [],
});
