/** The procurement endpoints in process, rows as a parser would return them, and the bucket as a map. */
import { randomUUID } from 'node:crypto';
import { DeleteObjectsCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { contract as downloadContract } from '#functions/api/procurement/download-documento/contract.ts';
import { handler as download } from '#functions/api/procurement/download-documento/handler.ts';
import { contract as linkContract } from '#functions/api/procurement/get-documento-link/contract.ts';
import { handler as link } from '#functions/api/procurement/get-documento-link/handler.ts';
import { contract as getContract } from '#functions/api/procurement/get-licitacion/contract.ts';
import { handler as get } from '#functions/api/procurement/get-licitacion/handler.ts';
import { contract as documentosContract } from '#functions/api/procurement/list-licitacion-documentos/contract.ts';
import { handler as documentos } from '#functions/api/procurement/list-licitacion-documentos/handler.ts';
import { contract as ofertasContract } from '#functions/api/procurement/list-licitacion-ofertas/contract.ts';
import { handler as ofertas } from '#functions/api/procurement/list-licitacion-ofertas/handler.ts';
import { contract as preguntasContract } from '#functions/api/procurement/list-licitacion-preguntas/contract.ts';
import { handler as preguntas } from '#functions/api/procurement/list-licitacion-preguntas/handler.ts';
import { contract as listContract } from '#functions/api/procurement/list-licitaciones/contract.ts';
import { handler as listTenders } from '#functions/api/procurement/list-licitaciones/handler.ts';
import { procurementDocumentos } from '#shared/scopes/procurement-documentos.ts';
import { procurementLicitaciones } from '#shared/scopes/procurement-licitaciones.ts';
import { procurementOfertas } from '#shared/scopes/procurement-ofertas.ts';
import { procurementPreguntas } from '#shared/scopes/procurement-preguntas.ts';
import type { Row } from '#shared/scopes/scope.ts';
import { writeTender } from '#shared/tenders/tender.store.ts';
import { mockAwsClient } from '#test/fakes/aws-client.ts';
import { type ObjectServer, serveObjects } from '#test/fakes/object-server.ts';
import { type Credential, callersOf } from './callers.ts';
import { startTable, type TestTable } from './dynamo.ts';
import { call } from './http.ts';
import { useSharedSecretIssuer } from './sessions.ts';

export const OURS = '11111111-1111-4111-8111-111111111111';
export const objects = new Map<string, { body: Buffer; disposition: string }>();

let callers: Awaited<ReturnType<typeof callersOf>>;
export const theCallers = () => callers;

/** Call at the top of a test file. */
export const useProcurement = (): void => {
  const s3 = mockAwsClient(S3Client);
  let table: TestTable;
  let server: ObjectServer;

  beforeAll(async () => {
    table = await startTable();
    server = await serveObjects((key) => objects.get(key)?.body);
    useSharedSecretIssuer();
    process.env.DOCUMENT_BUCKET_NAME = 'documents';
    callers = await callersOf(OURS);
  });
  beforeEach(() => {
    s3.on(PutObjectCommand).callsFake(({ Key, Body, ContentDisposition }) => {
      objects.set(Key, { body: Buffer.from(Body), disposition: ContentDisposition });
      return {};
    });
    s3.on(ListObjectsV2Command).callsFake(({ Prefix }) => ({
      Contents: [...objects.keys()].filter((key) => key.startsWith(Prefix)).map((Key) => ({ Key })),
    }));
    s3.on(DeleteObjectsCommand).callsFake(({ Delete }) => {
      for (const { Key } of Delete.Objects) objects.delete(Key);
      return {};
    });
  });
  afterAll(async () => {
    s3.restore();
    await server.close();
    await table.stop();
  });
};

export const SCOPES = {
  documentos: { scope: procurementDocumentos, contract: documentosContract, handler: documentos },
  preguntas: { scope: procurementPreguntas, contract: preguntasContract, handler: preguntas },
  ofertas: { scope: procurementOfertas, contract: ofertasContract, handler: ofertas },
};
export type Name = keyof typeof SCOPES;
export const NAMES = Object.keys(SCOPES) as Name[];

let codes = 0;
export const newCodigo = (): string => `990101-${++codes}-LE25`;
export const at = (minute: number): string => new Date(Date.UTC(2026, 10, 21, 12, minute)).toISOString();
export const list = (name: Name, codigo: string, query = '', who: Credential = callers.key) =>
  call(SCOPES[name].contract, SCOPES[name].handler, { ...who, params: { codigo }, query });
export const ficha = (codigo: string, who: Credential = callers.key) =>
  call(getContract, get, { ...who, params: { codigo } });
export const tenders = (query = '', who: Credential = callers.key) =>
  call(listContract, listTenders, { ...who, query });
export const linkTo = (documentoId: string, who: Credential = callers.key) =>
  call(linkContract, link, { ...who, params: { documentoId } });
export const fetchFile = (documentoId: string, who: Credential = callers.key) =>
  call(downloadContract, download, { ...who, params: { documentoId } });

export const fichaRow = (codigo: string, changes: Row = {}): Row => ({
  ...Object.fromEntries(Object.keys(procurementLicitaciones.parsed.shape).map((field) => [field, null])),
  codigo,
  nombre: 'Arriendo de bodegas',
  estado: 'publicada',
  monto_estimado: '48000000',
  fecha_cierre: '2026-12-01T15:00:00.000Z',
  ...changes,
});
export const documentoRow = (codigo: string, n: number, changes: Row = {}): Row => ({
  codigo,
  documento_id: `d${n}`,
  origen: 'anexo',
  nombre: `Bases ${n}.pdf`,
  tipo: null,
  descripcion: null,
  tamano: '1024',
  fecha_adjunto: null,
  locator: { page: 1 },
  ...changes,
});
export const preguntaRow = (codigo: string, n: number, numero: string | null): Row => ({
  codigo,
  pregunta_id: String(n),
  numero,
  tema: null,
  pregunta: '¿Sí?',
  respuesta: null,
  fecha_pregunta: '2026-11-06T14:08:52.000Z',
  fecha_respuesta: null,
});
export const ofertaRow = (codigo: string, n: number, documentos = 2): Row => ({
  codigo,
  oferente_rut: '76192083-9',
  nombre_oferta: `Oferta ${n}`,
  proveedor_razon_social: 'PROVEEDOR',
  estado: 'Aceptada',
  total_oferta: '42000000',
  habil_chileproveedores: null,
  documentos: Array.from({ length: documentos }, (_, d) => ({
    documento_id: `o${d}`,
    origen: 'tecnico',
    nombre: null,
    locator: { control: `c${d}` },
  })),
});

export interface Owner {
  organizationId: string;
  connectionId: string;
}
export const newConnection = (): Owner => ({ organizationId: OURS, connectionId: randomUUID() });
export const write = async (
  owner: Owner,
  codigo: string,
  name: Name,
  rows: Row[],
  minute = 0,
  runId = randomUUID(),
) => {
  const reading = { rows: rows.map((row) => ({ row })), observedAt: at(minute), runId };
  return (await writeTender({ ...owner, codigo }, SCOPES[name].scope, reading)).counts;
};
export const writeFicha = async (owner: Owner, codigo: string, row: Row, raw: Row, minute = 0, isOpen = true) => {
  const reading = { rows: [{ row, raw }], observedAt: at(minute), runId: randomUUID(), isOpen };
  return (await writeTender({ ...owner, codigo }, procurementLicitaciones, reading)).counts;
};
