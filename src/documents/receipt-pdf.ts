export async function receiptPdf(_receipt: object): Promise<Uint8Array> {
  return new Uint8Array();
}
