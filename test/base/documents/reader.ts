import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { PDFiumLibrary } from "@hyzyla/pdfium";
import { prepareZXingModule, purgeZXingModule, readBarcodes } from "zxing-wasm/reader";

const { resolve } = createRequire(import.meta.url);

/** A document as other programs see it. */
export interface OpenedPdf {
  readonly pages: number;
  /** Of the first page, every run of spaces and line ends as one space. */
  readonly text: string;
  /** Of the first page, in points. */
  readonly width: number;
  readonly height: number;
}

/** Four bytes a pixel: red, green, blue and opacity. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray;
}

export interface PdfReader {
  open(pdf: Uint8Array): Promise<OpenedPdf>;
  /** The first page as a picture of so many pixels a point. */
  picture(pdf: Uint8Array, scale: number): Promise<Picture>;
  close(): void;
}

/** Starts the engine that Chrome shows PDFs with. */
export async function startPdfReader(): Promise<PdfReader> {
  const library = await PDFiumLibrary.init();
  return {
    async open(pdf) {
      const document = await library.loadDocument(pdf);
      const page = document.getPage(0);
      const { originalWidth, originalHeight } = page.getOriginalSize();
      const opened = {
        pages: document.getPageCount(),
        text: page.getText().replace(/\s+/g, " "),
        width: Number(originalWidth.toFixed(2)),
        height: Number(originalHeight.toFixed(2)),
      };
      document.destroy();
      return opened;
    },
    async picture(pdf, scale) {
      const document = await library.loadDocument(pdf);
      const { width, height, data } = await document.getPage(0).render({ scale, render: "bitmap" });
      document.destroy();
      return { width, height, data: new Uint8ClampedArray(data) };
    },
    close: () => library.destroy(),
  };
}

export interface BarcodeReader {
  /** Every barcode in a picture, of the kinds that are looked for, or of any kind that the reader knows. */
  read(picture: Picture, kinds?: "ITF"[]): Promise<{ format: string; text: string }[]>;
  close(): void;
}

/** Starts a barcode reader from the files installed here: it would fetch its code otherwise. */
export async function startBarcodeReader(): Promise<BarcodeReader> {
  const wasmBinary = new Uint8Array(await readFile(resolve("zxing-wasm/reader/zxing_reader.wasm"))).buffer;
  await prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true });
  return {
    async read(picture, formats = []) {
      const found = await readBarcodes(picture, { tryHarder: true, formats });
      return found.map(({ format, text }) => ({ format, text }));
    },
    close: () => purgeZXingModule(),
  };
}
