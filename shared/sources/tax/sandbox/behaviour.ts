/** Faults by credential. Counted per login since the start, or since the knob `reset`, never by chance or by time. */
export type Behaviour =
  | 'works'
  | 'wrong_password'
  | 'locked'
  | 'session_limit'
  | 'maintenance'
  | 'waiting_room'
  | 'login_unknown'
  | 'rate_limited'
  | 'session_expires'
  | 'page_for_data'
  | 'cut_off'
  | 'truncated'
  | 'malformed_row'
  | 'server_error'
  | 'slow'
  | 'wrong_company'
  | 'captcha'
  | 'code_2'
  | 'short_file'
  | 'unknown_fields'
  | 'loose_types'
  | 'latin1_files'
  | 'bootstrap';

/** What becomes of one data call in place of its answer. */
export type DataFault =
  | 'none'
  | 'throttle'
  | 'expire'
  | 'page'
  | 'cut'
  | 'truncate'
  | 'error'
  | 'slow'
  | 'captcha'
  | 'code_2'
  | 'start_first';

const ALWAYS: Partial<Record<Behaviour, DataFault>> = {
  page_for_data: 'page',
  server_error: 'error',
  slow: 'slow',
  captcha: 'captcha',
  code_2: 'code_2',
};

export const dataFault = (behaviour: Behaviour, call: number, method: string, isAppStarted: boolean): DataFault => {
  const always = ALWAYS[behaviour];
  if (always) return always;
  if (behaviour === 'rate_limited') return call === 3 || call === 4 ? 'throttle' : 'none';
  if (behaviour === 'session_expires') return call === 4 ? 'expire' : 'none';
  if (behaviour === 'bootstrap') return isAppStarted ? 'none' : 'start_first';
  const isDetail = method.startsWith('getDetalle');
  if (behaviour === 'cut_off' && isDetail) return 'cut';
  if (behaviour === 'truncated' && isDetail) return 'truncate';
  return 'none';
};
