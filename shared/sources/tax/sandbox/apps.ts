/** The three data apps: their addresses, requirements and answers (tax.md §1, §3.1). */
import { BAD_TOKEN, NOT_AUTHORIZED, type Result } from './answers.ts';
import type { AppName } from './behaviour.ts';
import { BOLETAS_METHODS, runBoletas } from './boletas-methods.ts';
import type { TaxCredential } from './credentials.ts';
import { REGISTER_METHODS, runRegister } from './facade-methods.ts';
import { GUIDE_METHODS, runGuides } from './guias-methods.ts';
import type { State } from './state.ts';

export interface SandboxApp {
  name: AppName;
  root: string;
  namespace: string;
  /** Keys that each method accepts inside `data`; any other key is refused with HTTP 400. */
  methods: Readonly<Record<string, readonly string[]>>;
  /** True if `metaData.page` is required (§3.1, §6.2). */
  wantsPage: boolean;
  badToken: Result;
  run(method: string, state: State, account: TaxCredential, data: Record<string, unknown>): Result;
}

export const REGISTER_ROOT = '/consdcvinternetui/services/data/facadeService';

export const APPS: readonly SandboxApp[] = [
  {
    name: 'register',
    root: REGISTER_ROOT,
    namespace: 'cl.sii.sdi.lob.diii.consdcv.data.api.interfaces.FacadeService',
    methods: REGISTER_METHODS,
    wantsPage: false,
    badToken: BAD_TOKEN,
    run: runRegister,
  },
  {
    name: 'documents',
    root: '/consemitidosinternetui/services/data/facadeService',
    namespace: 'cl.sii.sdi.lob.diii.consemitidos.data.api.interfaces.FacadeService',
    methods: GUIDE_METHODS,
    wantsPage: false,
    badToken: NOT_AUTHORIZED,
    run: runGuides,
  },
  {
    name: 'boletas',
    root: '/complementoscvui/services/data/facadeServiceBoletasDiarias',
    namespace: 'cl.sii.sdi.lob.diii.dcv.data.impl.boletasdiarias.FacadeSettingApplicationService',
    methods: BOLETAS_METHODS,
    wantsPage: true,
    badToken: BAD_TOKEN,
    run: runBoletas,
  },
];
