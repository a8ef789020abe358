import { afterEach, describe, expect, it } from 'vitest'
import type { PaperDocument } from '#core/exchange/paper/document.ts'
import { PrintFailure } from '#server/print/printFailure.ts'
import { Printer } from '#server/print/printer.ts'
import type { PrintWork } from '#server/print/printer.ts'
import { drawnPng } from '#tests/server/support/drawnPng.ts'

/** The process that prints: what ends it ends no server, and a picture that cannot be read ends no document. */

const TIMEOUT_MS = 60_000
const AT = '2026-11-02T01:02:03.000Z'

function documentOf(more: Partial<PaperDocument> = {}): PaperDocument {
  return {
    language: 'zh',
    title: '病例报告表',
    subtitle: '心绞痛研究',
    facts: [['受试者编号', 'N01-001']],
    notes: [],
    contents: '目录',
    head: ['心绞痛研究', 'N01-001'],
    foot: '制作',
    parts: [],
    ...more,
  }
}

function work(document: PaperDocument, pictures: readonly [name: string, content: Uint8Array][] = []): PrintWork {
  return {
    kind: 'document',
    document,
    pictures: pictures.map(([name, content]) => ({ name, content })),
    madeAt: AT,
  }
}

function rowsOf(count: number): PaperDocument['parts'] {
  const rows = Array.from({ length: count }, (_, no) => [[{ t: `字段 ${String(no)}`, l: 'plain' } as const]])
  return [{ level: 1, title: '基线', onNewSheet: true, blocks: [{ kind: 'table', widths: [1], head: ['字段'], rows }] }]
}

const printers: Printer[] = []
function open(limits: ConstructorParameters<typeof Printer>[0] = {}): Printer {
  const printer = new Printer(limits)
  printers.push(printer)
  return printer
}
afterEach(() => {
  for (const printer of printers.splice(0)) printer.end()
})

async function problemOf(attempt: Promise<unknown>): Promise<string> {
  try {
    await attempt
    return 'none'
  } catch (error) {
    if (error instanceof PrintFailure) return error.problem
    throw error
  }
}

const isPdf = (bytes: Uint8Array) => Buffer.from(bytes.subarray(0, 5)).toString() === '%PDF-'

describe('a printer', { timeout: TIMEOUT_MS }, () => {
  it('prints the same document to the same bytes', async () => {
    const printer = open()
    const [one, other] = [await printer.print(work(documentOf())), await printer.print(work(documentOf()))]
    expect(isPdf(one)).toBe(true)
    expect(Buffer.from(one).equals(Buffer.from(other))).toBe(true)
  })

  it('says that a document is too large which takes too much memory, and prints the next one', async () => {
    const printer = open({ memoryMb: 420 })
    expect(await problemOf(printer.print(work(documentOf({ parts: rowsOf(60_000) }))))).toBe('too_large')
    expect(isPdf(await printer.print(work(documentOf())))).toBe(true)
  })

  it('says the same of one that takes too long', async () => {
    const printer = open({ longestMs: 2_000 })
    expect(await problemOf(printer.print(work(documentOf({ parts: rowsOf(60_000) }))))).toBe('too_large')
  })

  it('begins anew with a fresh process where the last one has taken much', async () => {
    const printer = open({ restMb: 1 })
    for (const no of [1, 2]) expect([no, isPdf(await printer.print(work(documentOf())))]).toEqual([no, true])
  })

  it('says that it is not available where its process cannot begin', async () => {
    const path = process.execPath
    try {
      process.execPath = '/nowhere/node'
      expect(await problemOf(open().prepare())).toBe('unavailable')
    } finally {
      process.execPath = path
    }
  })

  it('says that a document does not fit the sheet, without its words', async () => {
    const printer = open()
    const pictures = [{ file: 'absent.png', caption: '张三' }]
    const broken = documentOf({
      parts: [{ level: 1, title: '李四', onNewSheet: false, blocks: [{ kind: 'pictures', pictures }] }],
    })
    await expect(printer.print(work(broken))).rejects.toMatchObject({ problem: 'failed', message: 'NotSet' })
    expect(isPdf(await printer.print(work(documentOf())))).toBe(true)
  })

  it('leaves out a picture that cannot be read, and prints the others', async () => {
    const pictures = ['good.png', 'bad.jpg'].map((file) => ({ file, caption: file }))
    const parts = [{ level: 1, title: '图片', onNewSheet: false, blocks: [{ kind: 'pictures', pictures }] }] as const
    const plain = await open().print(work(documentOf({ parts: [] })))
    const made = await open().print(
      work(documentOf({ parts }), [
        ['good.png', drawnPng(40, 30)],
        ['bad.jpg', Buffer.from('\u00ff\u00d8\u00ff no picture', 'latin1')],
      ]),
    )
    expect(made.length).toBeGreaterThan(plain.length)
    expect(
      Buffer.from(made)
        .toString('latin1')
        .match(/Subtype\s*\/Image/g)?.length,
    ).toBe(1)
  })
})
