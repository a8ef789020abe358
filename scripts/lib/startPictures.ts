/**
 * What an iPad shows between the tap on the app's icon and its first screen. Android draws that by itself from the
 * manifest; iPadOS wants a picture for each size of a screen, held upright and across, and fetches the one that fits
 * when the app is added to the home screen. (Apple, "Configuring web applications".)
 */

/** Screens of iPads, in points, held upright: all have two pixels a point. */
export const IPADS: readonly (readonly [width: number, height: number])[] = [
  [744, 1133],
  [768, 1024],
  [810, 1080],
  [820, 1180],
  [834, 1112],
  [834, 1194],
  [834, 1210],
  [1024, 1366],
  [1032, 1376],
]

interface StartPicture {
  readonly file: string
  readonly media: string
}

/** The pictures of public/splash, each with the screens that it is for. */
export function startPictures(): readonly StartPicture[] {
  return IPADS.flatMap(([width, height]) => {
    const screen = `(device-width: ${width}px) and (device-height: ${height}px) and (-webkit-device-pixel-ratio: 2)`
    return [
      { file: `${width}x${height}.png`, media: `${screen} and (orientation: portrait)` },
      { file: `${height}x${width}.png`, media: `${screen} and (orientation: landscape)` },
    ]
  })
}

/** The lines of the page's head, for Vite. */
export function startPictureTags() {
  return startPictures().map(({ file, media }) => ({
    tag: 'link',
    attrs: { rel: 'apple-touch-startup-image', href: `/splash/${file}`, media },
    injectTo: 'head' as const,
  }))
}
