/** Answers of the data apps on the wire (tax.md §3.3, §3.4). */
export interface Envelope {
  namespace: string;
  conversationId: string;
  transactionId: string;
}

const state = (code: number, message: string | null) => ({
  codRespuesta: code,
  msgeRespuesta: message,
  codError: null,
});

export const answer = (
  envelope: Envelope,
  content: Record<string, unknown>,
  code = 0,
  message: string | null = null,
) => ({
  ...content,
  metaData: { ...envelope, info: null, errors: null, page: null },
  respEstado: state(code, message),
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
export const BAD_TOKEN = 'El token no es valido o ya no se encuentra vigente';
export const TOO_OLD = 'Periodo consultado no válido, debe ser mayor igual a 201705';
export const NO_RIGHTS = 'Usuario no autorizado para consultar la empresa';

export const EXPIRED_PAGE =
  '<html><head><title>JBoss Web - Error report</title></head><body><h1>HTTP Status 401 - JBWEB000065</h1></body></html>';
export const NOT_ACCEPTABLE =
  'org.jboss.resteasy.spi.NotAcceptableException: RESTEASY001530: No match for accept header';

/** The application server names its class and the field it did not know. */
export const unknownField = (field: string): string =>
  `Unrecognized field "${field}" (Class cl.sii.sdi.lob.diii.consdcv.data.api.dto.ConsultaRequest), not marked as ignorable`;

/** Every object gets a field nobody has seen before. */
export const withUnknownFields = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withUnknownFields);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([key, inner]) => [key, withUnknownFields(inner)] as const);
  return { ...Object.fromEntries(fields), campoNuevo: { version: 2, notas: ['añadido'] } };
};

/** What tax.md says may vary: numbers as strings, another key order, no `page`, an empty list for null. */
export const loosened = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(loosened);
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value)
    .filter(([key]) => key !== 'page')
    .map(([key, inner]) => [key, key === 'data' && inner === null ? [] : loosened(inner)] as const);
  return Object.fromEntries(fields.reverse());
};
