import type { PaperBlock, PaperDocument, PaperPart } from './document.ts'
import { paperWords } from './wordsIn.ts'

/**
 * Documents that are too large for one are printed in volumes, cut between pages: some subjects of a long study have
 * more than a printer may take, and the others must not go without for it.
 */

/** Lines of a volume, as cells and captions have them: about 800 sheets. */
const MOST_LINES = 100_000

export function volumesOf(document: PaperDocument, most: number = MOST_LINES): readonly PaperDocument[] {
  const volumes: PaperPart[][] = [[]]
  let lines = 0
  let visit: PaperPart | null = null
  for (const part of document.parts) {
    if (part.level === 1) visit = part
    const own = countLines(part)
    if (lines + own > most && lines > 0) {
      // What goes on in the next volume is there under its visit as well.
      volumes.push(part.level === 1 || visit === null ? [] : [{ ...visit, blocks: [] }])
      lines = 0
    }
    volumes.at(-1)?.push(part)
    lines += own
  }
  if (volumes.length === 1) return [document]
  const { volume } = paperWords(document.language)
  return volumes.map((parts, at) => {
    const name = volume(at + 1, volumes.length)
    const [left, right] = document.head
    return { ...document, subtitle: `${document.subtitle}${name}`, head: [left, `${right}${name}`], parts }
  })
}

function countLines({ blocks }: PaperPart): number {
  return blocks.reduce((sum, block) => sum + linesOf(block), 1)
}

function linesOf(block: PaperBlock): number {
  if (block.kind === 'facts') return block.facts.length
  if (block.kind === 'pictures') return block.pictures.length
  if (block.kind !== 'table') return 1
  return block.rows.reduce((sum, row) => sum + row.reduce((of, cell) => of + cell.length, 0), 1)
}
