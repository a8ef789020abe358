import { existsSync } from 'node:fs'
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import {
  PDFFONTS,
  PDFIMAGES,
  PDFINFO,
  PDFTOPPM,
  PDFTOTEXT,
  READER_ENVIRONMENT,
  prepareJudges,
} from '#scripts/lib/judges.ts'
import { run } from '#scripts/lib/run.ts'

/** PDF as Poppler reads and draws it. */

export async function textOfPdf(pdf: Uint8Array): Promise<string> {
  return askPoppler(pdf, PDFTOTEXT, (file) => ['-layout', file, '-'])
}

export async function infoOfPdf(pdf: Uint8Array): Promise<string> {
  return askPoppler(pdf, PDFINFO, (file) => [file])
}

export async function fontsOfPdf(pdf: Uint8Array): Promise<string> {
  return askPoppler(pdf, PDFFONTS, (file) => [file])
}

/** Width and height of each picture in it. */
export async function imagesOfPdf(pdf: Uint8Array): Promise<readonly string[]> {
  const listed = await askPoppler(pdf, PDFIMAGES, (file) => ['-list', file])
  return listed
    .split('\n')
    .slice(2)
    .flatMap((line) => /^ *\d+ +\d+ +image +(\d+) +(\d+)/.exec(line)?.slice(1, 3).join('x') ?? [])
}

/** How many pixels of each sheet are dark: a font whose glyphs are blank leaves none where text can be found. */
export async function inkOfPdf(pdf: Uint8Array): Promise<readonly number[]> {
  return withFile(pdf, async (file) => {
    await ask(PDFTOPPM, ['-r', '50', '-gray', file, `${file}-sheet`])
    const folder = path.dirname(file)
    const names = (await readdir(folder)).filter((name) => name.endsWith('.pgm')).toSorted()
    const sheets = await Promise.all(names.map((name) => readFile(path.join(folder, name))))
    // Pixels come last, a byte each.
    return sheets.map((sheet) => sheet.subarray(20).filter((pixel) => pixel < 128).length)
  })
}

async function askPoppler(pdf: Uint8Array, program: string, args: (file: string) => string[]): Promise<string> {
  return withFile(pdf, (file) => ask(program, args(file)))
}

async function ask(program: string, args: readonly string[]): Promise<string> {
  if (!existsSync(program)) {
    const lacking = await prepareJudges()
    if (lacking !== undefined) throw new Error(lacking)
  }
  const { ok, output } = await run(program, [...args], { capture: true, env: READER_ENVIRONMENT })
  if (!ok) throw new Error(output)
  return output
}

async function withFile<Read>(pdf: Uint8Array, read: (file: string) => Promise<Read>): Promise<Read> {
  const folder = await mkdtemp(path.join(tmpdir(), 'zhenglu-pdf-'))
  try {
    const file = path.join(folder, 'paper.pdf')
    await writeFile(file, pdf)
    return await read(file)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
