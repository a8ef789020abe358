/** A chart as a file that looks as it does on the screen: no style sheet goes along, so each mark gets its own styles. */

const STYLES = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-linecap',
  'stroke-linejoin',
  'opacity',
  'font-family',
  'font-size',
  'font-weight',
  'text-anchor',
  'dominant-baseline',
] as const

/** Pixels of a picture for each px of the chart: sharp on a printed page. */
const SCALE = 2

/** The chart as an SVG file with its title. */
export function svgFile(svg: SVGSVGElement, title: string): Blob {
  return new Blob([svgText(svg, title)], { type: 'image/svg+xml' })
}

/** The chart as a PNG file; null where the browser could not draw it. */
export async function pngOf(svg: SVGSVGElement, title: string): Promise<Blob | null> {
  const { width, height } = svg.viewBox.baseVal
  const address = URL.createObjectURL(svgFile(svg, title))
  try {
    const picture = new Image()
    picture.src = address
    await picture.decode()
    const canvas = document.createElement('canvas')
    canvas.width = width * SCALE
    canvas.height = height * SCALE
    canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height)
    return await new Promise((resolve) => {
      canvas.toBlob(resolve, 'image/png')
    })
  } finally {
    URL.revokeObjectURL(address)
  }
}

function svgText(svg: SVGSVGElement, title: string): string {
  const copy = svg.cloneNode(true) as SVGSVGElement
  const copies = [copy, ...copy.querySelectorAll<SVGElement>('*')]
  for (const [at, original] of [svg, ...svg.querySelectorAll<SVGElement>('*')].entries()) {
    const own = getComputedStyle(original)
    for (const name of STYLES) copies[at]?.style.setProperty(name, own.getPropertyValue(name))
    copies[at]?.removeAttribute('class')
  }
  const name = document.createElementNS(svg.namespaceURI, 'title')
  name.textContent = title
  const { width, height } = svg.viewBox.baseVal
  const ground = document.createElementNS(svg.namespaceURI, 'rect')
  ground.setAttribute('width', String(width))
  ground.setAttribute('height', String(height))
  ground.setAttribute('fill', getComputedStyle(document.body).backgroundColor)
  copy.prepend(name, ground)
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  return new XMLSerializer().serializeToString(copy)
}
