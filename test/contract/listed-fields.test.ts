/**
 * Every object of an answer, written by hand from service.md "Resources and their fields" and the extras of
 * decisions.md: exactly these fields, and all of them always present. `shared/http/response/answer-check.ts` checks
 * each answer against its schema, so this also holds on the wire.
 */
import { expect, test } from 'vitest';
import { ENDPOINTS } from '#infra/endpoints.gen.ts';
import { mismatch } from '#shared/http/response/answer-check.ts';
import { DESCRIPTION, mediaOf, OPERATIONS, operationOf, type Schema, schemaAt } from '#test/helpers/description.ts';

const STATEMENT = `id numero_cuenta period currency fecha_movimiento descripcion documento amount saldo_contable tipo
  direction`;
const TENDER = `id codigo nombre descripcion estado tipo_licitacion tipo_convocatoria moneda monto_estimado
    organismo_razon_social organismo_rut unidad_compra region comuna direccion fecha_publicacion fecha_inicio_preguntas
    fecha_fin_preguntas fecha_publicacion_respuestas fecha_cierre fecha_apertura_tecnica fecha_apertura_economica
    fecha_adjudicacion observed_at`;
const RCV = `id period direction document_type folio issuer_rut issuer_name receiver_rut receiver_name issued_at received_at
  net_amount exempt_amount vat_amount total_amount currency status estado referenced_document_type referenced_folio
  acknowledged_at claimed_at transaction_type created_at`;
const RUN = `id connection_id scopes scope_outcomes status trigger started_at finished_at created_at error_code
  error_message records_found records_created records_updated progress`;
const LINK = `id kind status external_source_code enabled_scopes name asked_by metadata return_url connection_id connections_max
  connections_made expires_at created_at created_by cancelled_at`;
const WEBHOOK = 'id url event_types enabled disabled_at disabled_reason last_success_at created_at created_by';
const DELIVERY = 'id event_type test status attempts response_status error last_attempt_at created_at';

const CONNECTION = `id organization_id external_source_code external_source_name name status enabled_scopes scopes metadata
    sync_schedule_enabled sync_frequency_minutes next_scheduled_sync_at last_successful_sync_at last_sync_status attention?
    last_complete_period?
    created_by`;

/** Component → its fields. */
const LISTED: Readonly<Record<string, string>> = {
  Pagination: 'total limit offset has_more',
  ErrorResponse: 'error',
  Connection: CONNECTION,
  CreatedConnection: `${CONNECTION} warnings?`,
  // Extras of docs/adr/0041.
  ConnectLink: LINK,
  NewConnectLink: `${LINK} url secret`,
  ScopeDescriptor: 'name label data_url filters sync_metadata',
  ExternalSource: 'code name type country is_active supported_scopes scopes metadata',
  ExtSourceScope: 'name label sync_metadata data_path_template filters',
  SyncRun: RUN,
  SyncRunWithInput: `${RUN} input_metadata`,
  // `periods` is an extra of decisions.md §5.
  ScopeOutcome: 'scope status records_found duration_ms period periods error_code error_message notices',
  // `params` is an extra: figures of the message.
  ScopeNotice: 'code message params?',
  // Extras of docs/adr/0032.
  ScopeCoverage: 'scope last_success_at last_attempt periods',
  PeriodCoverage: 'period rows state reason is_open as_of verdict differences',
  PeriodCoverageWithTotals: `period rows state reason is_open as_of verdict differences totals totals_left_out`,
  ConnectionCoverage: 'connection_id external_source_code name company_name company_rut scopes',
  Figure: 'group figure institution ours difference',
  TotalGroup: 'group verdict figures rows_not_shown',
  TaxRcvRow: RCV,
  TaxRcvDocument: `${RCV} connection_id sync_run_id raw_payload_id source_document_id raw_row`,
  TaxBoletasRow: `id period document_type day total_amount date total_documentos net_amount exempt_amount vat_amount
    channel updated_at`,
  TaxGuiasRow: `id period direction folio issued_at counterparty_rut counterparty_name total_amount vat_amount status`,
  TaxGuiasDocument: `id connection_id period direction sync_run_id raw_payload_id source_guide_id document_type folio
    counterparty_rut counterparty_name net_amount exempt_amount vat_amount total_amount vat_rate issued_at received_at
    event_order event_description dhdr_codigo raw_row created_at`,
  BankoneTransfersRow: `id period direction transferred_at amount numero_transaccion currency subject counterparty_rut
    counterparty_name counterparty_bank`,
  BankoneBalancesRow: 'id numero_cuenta currency observed_at saldo_contable saldo_disponible saldo_provisorio',
  BankoneMovementsRow: STATEMENT,
  BankoneNominasRow: 'id period numero_nomina nomina_date tipo cuenta_cargo estado num_registros monto currency',
  BankoneNominasPagosRow: `id linea rut nombre tipo_cuenta numero_cuenta banco monto currency estado mail glosa
    motivo_rechazo`,
  BanktwoMovementsRow: `id numero_cuenta period fecha_movimiento fecha_contable descripcion amount saldo_contable tipo
    mnemonico direction category counterparty_name counterparty_rut counterparty_bank counterparty_account`,
  BanktwoBalancesRow: `id numero_cuenta currency observed_at saldo_contable saldo_disponible saldo_contable_9am retencion`,
  BankthreeMovementsRow: STATEMENT,
  BankthreeBalancesRow: 'id numero_cuenta currency observed_at saldo_contable saldo_disponible',
  ProcurementLicitacionesRow: TENDER,
  ProcurementLicitacionesDocument: `${TENDER} raw_ficha`,
  ProcurementDocumentosRow: 'id codigo documento_id origen nombre tipo descripcion tamano fecha_adjunto locator',
  ProcurementPreguntasRow: 'id codigo pregunta_id numero tema pregunta respuesta fecha_pregunta fecha_respuesta',
  ProcurementOfertasRow: `id codigo oferente_rut documentos proveedor_razon_social nombre_oferta estado total_oferta
    habil_chileproveedores`,
  ApiKey: 'id name display_prefix status last_used_at expires_at revoked_at created_at created_by',
  Author: 'kind id',
  AuditEvent: 'id action target changed author request_id source_address forwarded_address created_at',
  CursorPage: 'limit has_more next_cursor',
  Grant: `id client_id client_name client_publisher redirect_kind redirect_host scope subject status created_at expires_at
    last_used_at revoked_at revoked_for`,
  // Extras of decisions.md §7.
  Change: 'change scope id sequence period row key sync_run_id changed_at',
  Feed: 'next_cursor has_more',
  OrganizationChange: 'change connection_id scope path',
  TenderChange: 'change codigo scope connection_id observed_at sequence',
  WebhookEndpoint: WEBHOOK,
  WebhookEndpointWithSecret: `${WEBHOOK} secret`,
  WebhookDelivery: DELIVERY,
  WebhookDeliveryDetail: `${DELIVERY} next_attempt_at headers body attempt_log`,
  WebhookAttempt: 'number started_at ended_at status response_status cause error milliseconds',
  SyncEventScopeOutcome: 'scope status recordsFound durationMs period',
  SyncSucceededEvent: 'type timestamp data',
  SyncPartialEvent: 'type timestamp data',
  SyncFailedEvent: 'type timestamp data',
};

/** Objects without their own name: operation, path within its answer, fields. */
const INLINE: readonly [string, string, string, string][] = [
  ['createApiKey', '201', 'data', `${LISTED.ApiKey} key`],
  ['deleteConnection', '200', 'data', 'id deleted'],
  ['deleteWebhook', '200', 'data', 'id deleted'],
  ['decideAuthorization', '200', 'data', 'redirect_to'],
  ['reviewAuthorization', '200', 'data.client', 'id name publisher'],
  ['reviewAuthorization', '200', 'data.connections', 'id name external_source_code'],
  [
    'reviewAuthorization',
    '200',
    'data',
    'kind client redirect_kind redirect_host organization_id scope connections days digest to',
  ],
  ['createConnection', '201', 'warnings', 'code message connection_ids'],
  ['setSchedule', '200', 'data', 'enabled frequency_minutes next_scheduled_sync_at'],
  ['startSync', '202', '', 'sync_id connection_id scopes status'],
  ['getCoverage', '200', 'data.last_attempt', 'sync_run_id status finished_at error_code'],
  ['getSyncRun', '200', 'data.progress', 'stage message updated_at waiting_for? until?'],
  ['listLicitacionOfertas', '200', 'data.documentos', 'id codigo oferente_rut documento_id origen locator nombre'],
];

const words = (text: string): string[] => text.split(/\s+/).sort();
const objectIn = (part: Schema): Schema => {
  const schema = schemaAt(part);
  const [first] = schema.anyOf ?? [];
  return schema.items ? objectIn(schema.items) : first ? objectIn(first) : schema;
};
const within = (schema: Schema, path: string): Schema =>
  path
    .split('.')
    .filter(Boolean)
    .reduce((at, name) => objectIn(at.properties?.[name] ?? {}), objectIn(schema));

/** A name with `?` is a field that may be absent. */
const expectFields = ({ properties = {}, required = [] }: Schema, fields: string): void => {
  expect(Object.keys(properties).sort()).toEqual(words(fields.replaceAll('?', '')));
  expect([...required].sort()).toEqual(words(fields).filter((field) => !field.endsWith('?')));
};

const schemas = DESCRIPTION.components.schemas as unknown as Record<string, Schema>;

test.each(Object.entries(LISTED))('%s', (name, fields) => {
  expectFields(schemas[name]!, fields);
});

test.each(INLINE)('%s %s %s', (operation, status, path, fields) => {
  expectFields(within(mediaOf(operationOf(operation).responses[status])!.schema as Schema, path), fields);
});

/** Requests have their own tests; AWS defines the gateway's body. */
const NO_ANSWER = /Request$|^GatewayError$/;

test('no other object is answered', () => {
  const names = Object.keys(schemas).filter((name) => !NO_ANSWER.test(name) && schemas[name]!.type === 'object');
  expect(names.sort()).toEqual(Object.keys(LISTED).sort());
});

test('events say exactly what they must: a succeeded one has no errorCode, a failed one always', () => {
  const DATA = 'syncRunId organizationId connectionId status scopes scopeOutcomes';
  expectFields(within(schemas.SyncSucceededEvent!, 'data'), DATA);
  expectFields(within(schemas.SyncFailedEvent!, 'data'), `${DATA} errorCode`);
  const partial = within(schemas.SyncPartialEvent!, 'data');
  expect(Object.keys(partial.properties!).sort()).toEqual(words(`${DATA} errorCode`));
  expect([...partial.required!].sort()).toEqual(words(DATA));
});

/**
 * The example of each answer, once with an additional field and once without each field: the service would send
 * neither.
 */
const answered = OPERATIONS.flatMap(({ id, path, method, responses }) =>
  Object.entries(responses).flatMap(([status, answer]) => {
    const example = Number(status) < 300 ? mediaOf(answer)?.example : undefined;
    const contract = ENDPOINTS.find((each) => each.path === path && each.method === method)!;
    return example === undefined || id === 'getOpenapi' ? [] : [[id, contract, Number(status), example] as const];
  }),
);

const firstRow = (body: unknown): Record<string, unknown> => {
  const data = (body as { data?: unknown }).data ?? body;
  return (Array.isArray(data) ? data[0] : data) as Record<string, unknown>;
};

/** Fields that answers have since a later version. */
const OPTIONAL = new Set(['attention', 'last_complete_period']);

test.each(answered)('%s: a field too much or too few is found', (_, contract, status, example) => {
  const answer = (change: (row: Record<string, unknown>) => void) => {
    const body = structuredClone(example) as object;
    change(firstRow(body));
    return mismatch(contract, { status, body });
  };
  expect(answer(() => {})).toBeUndefined();
  const row = firstRow(example);
  // Periods are plain strings.
  if (typeof row !== 'object') return;
  expect(answer((each) => Object.assign(each, { surprise: 1 }))).toBeDefined();
  for (const field of Object.keys(row).filter((name) => !OPTIONAL.has(name)))
    expect(
      answer((each) => delete each[field]),
      field,
    ).toBeDefined();
});
