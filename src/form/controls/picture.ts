import { toBase64 } from '#offline/bytes.ts'

/**
 * Draws pictures on a canvas: thumbnails for lists, and pictures from which a part is redacted before they are stored.
 */

/** Longest side of a thumbnail in pixels, and its greatest length as text. */
const THUMB_SIDE = 320
const THUMB_MAX_LENGTH = 65_000
/** JPEG quality of redrawn photos: as good as the camera's own. */
const PHOTO_QUALITY = 0.92

/** A part of a picture, each number a share of its width or height. */
export interface Region {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** A small JPEG as base64; null for a file that this browser cannot draw as a picture. */
export async function thumbOf(content: Blob): Promise<string | null> {
  const bitmap = await decodePicture(content)
  if (bitmap === null) return null
  try {
    const shrink = Math.min(1, THUMB_SIDE / Math.max(bitmap.width, bitmap.height))
    const small = await drawPicture(
      bitmap,
      Math.max(1, Math.round(bitmap.width * shrink)),
      Math.max(1, Math.round(bitmap.height * shrink)),
      [],
      0.7,
    )
    const text = small === null ? null : toBase64(new Uint8Array(await small.arrayBuffer()))
    return text === null || text.length > THUMB_MAX_LENGTH ? null : text
  } finally {
    bitmap.close()
  }
}

/**
 * The picture with black in place of the regions, as a JPEG: it contains nothing of what was under them. Null where the
 * picture cannot be drawn.
 */
export async function redactPicture(content: Blob, regions: readonly Region[]): Promise<Blob | null> {
  const bitmap = await decodePicture(content)
  if (bitmap === null) return null
  try {
    return await drawPicture(bitmap, bitmap.width, bitmap.height, regions, PHOTO_QUALITY)
  } finally {
    bitmap.close()
  }
}

async function decodePicture(content: Blob): Promise<ImageBitmap | null> {
  try {
    return await createImageBitmap(content)
  } catch {
    // The file is no picture, is damaged, or has a type that this browser does not draw.
    return null
  }
}

async function drawPicture(
  bitmap: ImageBitmap,
  width: number,
  height: number,
  regions: readonly Region[],
  quality: number,
): Promise<Blob | null> {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const pen = canvas.getContext('2d')
  if (pen === null) return null
  // White lies under transparent parts, because a JPEG has no transparency.
  pen.fillStyle = '#fff'
  pen.fillRect(0, 0, width, height)
  pen.drawImage(bitmap, 0, 0, width, height)
  pen.fillStyle = '#000'
  for (const region of regions) {
    pen.fillRect(
      Math.floor(region.left * width),
      Math.floor(region.top * height),
      Math.ceil(region.width * width),
      Math.ceil(region.height * height),
    )
  }
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality))
}
