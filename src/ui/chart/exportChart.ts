/** A chart as a file that looks as on the screen: no style sheet goes along, so each mark gets its own styles. */

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

/** What stands above the drawing in a file: on the screen it is beside the picture, not in it. */
export interface ChartHead {
  readonly title: string
  /** Each series with the line that is its sign on the screen. */
  readonly legend: readonly { readonly name: string; readonly line: SVGLineElement }[]
}

/** Room around the drawing, and above it for the title and the legend, px. */
const AROUND = 16
const HEAD = 56

/** The chart as an SVG file with its title and legend. */
export function svgFile(svg: SVGSVGElement, head: ChartHead): Blob {
  return new Blob([new XMLSerializer().serializeToString(wholeChart(svg, head))], { type: 'image/svg+xml' })
}

/** The chart as a PNG file; null where the browser could not draw it. */
export async function pngOf(svg: SVGSVGElement, head: ChartHead): Promise<Blob | null> {
  const { width, height } = sizeOf(svg)
  const address = URL.createObjectURL(svgFile(svg, head))
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

function sizeOf(svg: SVGSVGElement): { readonly width: number; readonly height: number } {
  const [width, height] = [Number(svg.getAttribute('width')), Number(svg.getAttribute('height'))]
  return { width: width + 2 * AROUND, height: height + HEAD + AROUND }
}

function wholeChart(svg: SVGSVGElement, { title, legend }: ChartHead): SVGElement {
  const { width, height } = sizeOf(svg)
  const { color, fontFamily, fontSize } = getComputedStyle(svg)
  const ground = getComputedStyle(svg).getPropertyValue('--mantine-color-body')
  const words = { fill: color, 'font-family': fontFamily, 'font-size': fontSize }
  const whole = make('svg', { width, height, viewBox: `0 0 ${width} ${height}` })
  whole.append(make('title', {}, title), make('rect', { width, height, fill: ground }))
  whole.append(make('text', { ...words, x: AROUND, y: 24, 'font-weight': 600 }, title))
  const share = (width - 2 * AROUND) / Math.max(2, legend.length)
  for (const [at, { name, line }] of legend.entries()) {
    const series = make('g', { transform: `translate(${AROUND + at * share} 38)` })
    series.append(styledCopy(line), make('text', { ...words, x: 32, y: 8 }, name))
    whole.append(series)
  }
  const drawing = make('g', { ...words, transform: `translate(${AROUND} ${HEAD})` })
  drawing.append(...[...svg.children].map((child) => styledCopy(child)))
  whole.append(drawing)
  return whole
}

function make(name: string, attributes: Readonly<Record<string, string | number>>, text?: string): SVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name)
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, String(value))
  if (text !== undefined) element.textContent = text
  return element
}

/** A copy of an element with all that is in it, each with the styles that it has on the screen. */
function styledCopy(original: Element): Element {
  const copy = original.cloneNode(false) as Element
  const own = getComputedStyle(original)
  const styles = STYLES.map((name) => `${name}:${own.getPropertyValue(name)}`)
  copy.setAttribute('style', styles.join(';'))
  copy.removeAttribute('class')
  // A file leads nowhere: addresses of the study stay out of it.
  copy.removeAttribute('href')
  for (const child of original.childNodes)
    copy.append(child instanceof Element ? styledCopy(child) : child.cloneNode(true))
  return copy
}
