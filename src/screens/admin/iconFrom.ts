/** Side of a project's icon in pixels, and the longest icon that the server takes (`project.update`). */
const SIDE = 96
const LONGEST = 20_000

/** A small square JPEG of a picture, as a data address; null for a file that this browser cannot draw as a picture. */
export async function iconFrom(content: Blob): Promise<string | null> {
  const bitmap = await createImageBitmap(content).catch(() => null)
  if (bitmap === null) return null
  const canvas = document.createElement('canvas')
  canvas.width = SIDE
  canvas.height = SIDE
  const pen = canvas.getContext('2d')
  const side = Math.min(bitmap.width, bitmap.height)
  if (pen !== null) {
    // White lies under transparent parts, because a JPEG has no transparency.
    pen.fillStyle = '#fff'
    pen.fillRect(0, 0, SIDE, SIDE)
    pen.drawImage(bitmap, (bitmap.width - side) / 2, (bitmap.height - side) / 2, side, side, 0, 0, SIDE, SIDE)
  }
  bitmap.close()
  const address = pen === null ? null : canvas.toDataURL('image/jpeg', 0.85)
  return address === null || address.length > LONGEST ? null : address
}
