/** Words of column heads in Chilean portals and files. A head with another word may be a value and is not shown. */
export const COLUMN_WORDS: readonly string[] = [
  ...['abono', 'abonos', 'accion', 'acciones', 'acuse', 'actual', 'anexo', 'archivo', 'asunto', 'banco', 'cantidad'],
  ...['cargo', 'cargos', 'cheque', 'cheques', 'cliente', 'codigo', 'comentario', 'contable', 'correo', 'credito'],
  ...['cuenta', 'debito', 'del', 'descripcion', 'destino', 'detalle', 'dia', 'direccion', 'disponible', 'divisa'],
  ...['documento', 'documentos', 'emisor', 'empresa', 'entidad', 'estado', 'exento', 'factura', 'fecha', 'final'],
  ...['folio', 'glosa', 'hora', 'inicial', 'iva', 'linea', 'mail', 'mensaje', 'moneda', 'monto', 'motivo'],
  ...['movimiento', 'movimientos', 'neto', 'nombre', 'nota', 'nro', 'numero', 'oferta', 'oficina', 'operacion'],
  ...['orden', 'origen', 'pago', 'pagos', 'periodo', 'proveedor', 'receptor', 'referencia', 'registro', 'retencion'],
  ...['rut', 'razon', 'saldo', 'saldos', 'social', 'sucursal', 'tamano', 'tipo', 'titular', 'total', 'transaccion'],
  ...['transferencia', 'valor', 'vencimiento'],
];
