import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type * as Typst from '@myriaddreamin/typst-ts-node-compiler'
import type { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'
import type { PaperDocument } from '#core/exchange/paper/document.ts'
import { paperWords } from '#core/exchange/paper/wordsIn.ts'

import { drawableText, readGlyphs } from './glyphs.ts'
import type { Draws } from './glyphs.ts'

/**
 * Typst with our one sheet and our font. The document is a data file beside the sheet, pictures are files beside it,
 * all of them in memory: typst reads nothing else, as its root is a folder in which only the sheet is.
 */

const SHEET = fileURLToPath(new URL('./sheet/paper.typ', import.meta.url))
const FONT = '@expo-google-fonts/noto-sans-sc'
const WEIGHTS = ['400Regular/NotoSansSC_400Regular.ttf', '700Bold/NotoSansSC_700Bold.ttf']
/** PDF/A-2u: for archives, its font inside and its text as Unicode. Tags would make it eight times as large. */
const PDF = { pdfStandard: 'a-2u', pdfTags: false }

export interface Picture {
  readonly name: string
  readonly content: Uint8Array
}

/** What typst says of a document that it cannot set. It tells of the sheet, and may quote data: it is never logged. */
class NotSet extends Error {
  override readonly name = 'NotSet'
}

export class Typesetter {
  readonly #compiler: NodeCompiler
  readonly #draws: Draws

  /** @throws Error where typst's binary or the font is not on this machine */
  constructor() {
    const require = createRequire(import.meta.url)
    const typst = require('@myriaddreamin/typst-ts-node-compiler') as typeof Typst
    const fonts = WEIGHTS.map((file) => readFileSync(require.resolve(`${FONT}/${file}`)))
    this.#compiler = typst.NodeCompiler.create({ workspace: path.dirname(SHEET), fontArgs: [{ fontBlobs: fonts }] })
    this.#draws = readGlyphs(fonts[0] ?? Buffer.alloc(0))
  }

  /**
   * A document as PDF. A picture that typst cannot read is left out, and its caption stays.
   *
   * @throws Error where the document does not fit the sheet
   */
  print(document: PaperDocument, pictures: readonly Picture[], madeAt: string): Buffer {
    try {
      return this.#set(document, pictures, madeAt)
    } catch (error) {
      if (!(error instanceof NotSet) || pictures.length === 0) throw error
      const sound = pictures.filter((picture) => this.#isSound(picture))
      return this.#set(withoutPictures(document, new Set(sound.map(({ name }) => name))), sound, madeAt)
    }
  }

  #set(document: PaperDocument, pictures: readonly Picture[], madeAt: string): Buffer {
    const draws = this.#draws
    const data = JSON.stringify(document, (key, value: unknown) =>
      typeof value === 'string' && key !== 'file' ? drawableText(value, draws) : value,
    )
    try {
      this.#lay('paper.json', Buffer.from(data))
      for (const { name, content } of pictures) this.#lay(name, Buffer.from(content))
      const made = this.#compiler.compile({ mainFilePath: SHEET })
      if (made.result === null || made.hasError()) throw new NotSet(reasonOf(made.takeDiagnostics()))
      return this.#compiler.pdf(made.result, { ...PDF, creationTimestamp: Math.floor(Date.parse(madeAt) / 1000) })
    } finally {
      this.#compiler.resetShadow()
      this.#compiler.evictCache(0)
    }
  }

  #isSound(picture: Picture): boolean {
    try {
      this.#lay(picture.name, Buffer.from(picture.content))
      const made = this.#compiler.compile({ mainFileContent: `#image(${JSON.stringify(picture.name)}, width: 10mm)` })
      return made.result !== null && !made.hasError() && this.#compiler.pdf(made.result, PDF).length > 0
    } catch {
      return false
    } finally {
      this.#compiler.resetShadow()
    }
  }

  #lay(name: string, content: Buffer): void {
    this.#compiler.mapShadow(path.join(path.dirname(SHEET), name), content)
  }
}

function reasonOf(diagnostics: { readonly shortDiagnostics: readonly unknown[] } | null): string {
  return JSON.stringify(diagnostics?.shortDiagnostics ?? []).slice(0, 2_000)
}

function withoutPictures(document: PaperDocument, sound: ReadonlySet<string>): PaperDocument {
  const not = paperWords(document.language).pictureNot.type
  return {
    ...document,
    parts: document.parts.map((part) => ({
      ...part,
      blocks: part.blocks.map((block) =>
        block.kind !== 'pictures'
          ? block
          : {
              ...block,
              pictures: block.pictures.map((one) =>
                one.file === null || sound.has(one.file) ? one : { file: null, caption: `${one.caption} — ${not}` },
              ),
            },
      ),
    })),
  }
}
