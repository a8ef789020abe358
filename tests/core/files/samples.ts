/** Beginnings of files, as cameras and programs write them: made here, so that no picture lies in the project. */

export function png(width: number, height: number, bytes = 64): Uint8Array<ArrayBuffer> {
  const file = new Uint8Array(Math.max(bytes, 64))
  file.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52])
  const view = new DataView(file.buffer)
  view.setUint32(16, width)
  view.setUint32(20, height)
  return file
}

/** @param preview bytes of what a camera puts before the figures */
export function jpeg(width: number, height: number, preview = 16): Uint8Array<ArrayBuffer> {
  const file = new Uint8Array(preview + 64)
  file.set([0xff, 0xd8, 0xff, 0xe1])
  const view = new DataView(file.buffer)
  view.setUint16(4, preview)
  const frame = 4 + preview
  file.set([0xff, 0xc0, 0, 17, 8], frame)
  view.setUint16(frame + 5, height)
  view.setUint16(frame + 7, width)
  return file
}

export function bmp(width: number, height: number): Uint8Array<ArrayBuffer> {
  const file = new Uint8Array(64)
  file.set([0x42, 0x4d])
  const view = new DataView(file.buffer)
  view.setUint32(14, 40, true)
  view.setInt32(18, width, true)
  view.setInt32(22, height, true)
  return file
}

export function pdf(): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode('%PDF-1.7\n1 0 obj <<>> endobj\ntrailer <<>>\n%%EOF')
}
