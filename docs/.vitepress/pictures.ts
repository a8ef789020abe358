import { renderMermaidSVG } from 'beautiful-mermaid'

/** Colours of the site, so that a picture follows its light and its dark look. */
const COLOURS = {
  bg: 'var(--vp-c-bg)',
  fg: 'var(--vp-c-text-1)',
  surface: 'var(--vp-c-bg-soft)',
  border: 'var(--vp-c-text-3)',
  line: 'var(--vp-c-text-2)',
  muted: 'var(--vp-c-text-1)',
}

/** The renderer asks Google for its font; a page of ours asks nobody. */
const FOREIGN_FONT = /@import url\([^)]*\);?/g

/** A picture in Mermaid's language as SVG. What it does not understand throws, and ends the build. */
export function drawPicture(source: string): string {
  const svg = renderMermaidSVG(source, { ...COLOURS, transparent: true, padding: 8 })
  return svg.replaceAll(FOREIGN_FONT, '').replace('<svg ', '<svg role="img" class="picture" ')
}
