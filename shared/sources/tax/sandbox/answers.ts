/** Answers of the data apps on the wire (tax.md §3.3, §3.4). */
export interface AnswerEnvelope {
  namespace: string;
  conversationId: string;
  transactionId: string;
}

/** A method's result, without the envelope. */
export interface Result {
  content: Record<string, unknown>;
  code?: number;
  message?: string;
  codError?: string;
  /** True if `metaData.namespace` is null, as in details of the app of issued and received documents (§3.3). */
  hidesNamespace?: boolean;
}

export const answer = (envelope: AnswerEnvelope, { content, code, message, codError, hidesNamespace }: Result) => ({
  ...content,
  metaData: {
    ...envelope,
    namespace: hidesNamespace ? null : envelope.namespace,
    info: null,
    errors: null,
    page: null,
  },
  respEstado: { codRespuesta: code ?? 0, msgeRespuesta: message ?? null, codError: codError ?? null },
});

export const EMPTY_SUMMARY = {
  data: null,
  totDocRes: null,
  tieneEmisorAgresivo: false,
  pDB: false,
  verF29: false,
  dataCabecera: null,
};

export const INCOMPLETE = { errorMsg: 'Acceso no autorizado!' };
export const BAD_TOKEN: Result = {
  content: { data: null },
  code: 99,
  message: 'El token no es valido o ya no se encuentra vigente',
};
/** The only refusal with code 99 that was seen in the app of issued and received documents (§3.4). */
export const NOT_AUTHORIZED: Result = {
  content: { data: null },
  code: 99,
  message: 'Usuario no autorizado',
  codError: 'cnsmtds.1.1.00',
};
/** Returns the message for a month that is too old. `first` is the first valid month, AAAAMM. */
export const tooOld = (first: string): string => `Periodo consultado no válido, debe ser mayor igual a ${first}`;
export const NO_RIGHTS = 'Usuario no autorizado para consultar la empresa';

export const EXPIRED_PAGE =
  '<html><head><title>JBoss Web - Error report</title></head><body><h1>HTTP Status 401 - JBWEB000065</h1></body></html>';
export const NOT_ACCEPTABLE =
  'org.jboss.resteasy.spi.NotAcceptableException: RESTEASY001530: No match for accept header';

/** Returns the message for an unknown field. The application server names its class and the field. */
export const unknownField = (field: string): string =>
  `Unrecognized field "${field}" (Class cl.sii.sdi.lob.diii.consdcv.data.api.dto.ConsultaRequest), not marked as ignorable`;

/**
 * Changes the parts of an answer that may vary according to tax.md: numbers as strings, another key order, no `page`,
 * an empty list instead of null.
 */
export const loosened = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(loosened);
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value)
    .filter(([key]) => key !== 'page')
    .map(([key, inner]) => [key, key === 'data' && inner === null ? [] : loosened(inner)] as const);
  return Object.fromEntries(fields.reverse());
};
