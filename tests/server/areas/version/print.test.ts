import { buffer } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { newId } from '#core/ids.ts'
import type { Language } from '#core/language.ts'
import type { PaperFormat } from '#core/study/paperForms.ts'
import { fontsOfPdf, infoOfPdf, inkOfPdf, textOfPdf } from '#tests/server/support/pdf.ts'
import { VITALS, addVersion, call, change, enrol, refusal, save, vitals } from '#tests/server/support/world.ts'
import { worldForEachTest } from '#tests/server/support/worldFor.ts'

/** A version for paper: blank and annotated, for whoever may see it, and with nothing of a subject. */

const world = worldForEachTest()
const TIMEOUT_MS = 60_000

async function print(
  style: PaperFormat,
  { language = 'zh', id = world.study.versionId }: { readonly language?: Language; readonly id?: string } = {},
): Promise<Uint8Array> {
  const answer = await call(world, world.people.lin, 'version.print', { params: { id }, query: { style, language } })
  expect(answer.type).toBe('application/pdf')
  return buffer(answer.body)
}

describe('a version for paper', { timeout: TIMEOUT_MS }, () => {
  it('is blank to be filled in by hand: labels and choices, no codes and nothing that was entered', async () => {
    await save(world, world.people.lin, change(vitals(world, await enrol(world)), { note: '面色㿠白' }))
    const pdf = await print('blank')
    const text = await textOfPdf(pdf)
    for (const word of ['空白病例报告表', 'V1.0 正式版', '基线', '生命体征', '身高 *', '吸烟', '药名', '心绞痛研究'])
      expect(text).toContain(word)
    for (const word of ['height', 'smokes', '面色㿠白']) expect(text).not.toContain(word)
    expect(await infoOfPdf(pdf)).toMatch(/Pages: +3/)
    expect(await fontsOfPdf(pdf)).toContain('NotoSansSC-Regular')
    expect(Math.min(...(await inkOfPdf(pdf)))).toBeGreaterThan(200)
  })

  it('is annotated with the code, type, choices and rules of each field', async () => {
    const text = await textOfPdf(await print('annotated'))
    for (const word of ['注释病例报告表', 'height', 'smokes', '必填', '30 – 250', 'drugs.dose', 'VS'])
      expect(text).toContain(word)
    expect(text).toMatch(/smokes +1 ?= ?是/)
    expect(text).toMatch(/lin \(测试\) 制作/)
  })

  it('is in the language that is asked for', async () => {
    const text = await textOfPdf(await print('annotated', { language: 'en' }))
    expect(text).toContain('Annotated case report form')
    expect(text).toContain('V1.0 release')
  })

  it('holds as text what would be a command anywhere else, and a page that cannot be read by its name', async () => {
    const hostile = '#read("/etc/passwd") $x$ \\ ] #panic() <a> @b *c* _d_'
    const option = JSON.parse(VITALS) as { column: { label: string }[] }
    const versionId = newId()
    await addVersion(world.services.pool, world.study, world.people.admin, {
      id: versionId,
      no: 2,
      vitals: JSON.stringify({ column: option.column.map((column) => ({ ...column, label: hostile })) }),
      event: 'no option',
    })
    for (const style of ['blank', 'annotated'] as const) {
      const text = (await textOfPdf(await print(style, { id: versionId }))).replaceAll(/\s+/g, '')
      expect(text).toContain(hostile.replaceAll(' ', ''))
      expect(text).toContain('此页的定义无法读取')
      expect(text).not.toContain('root:x:0')
    }
  })

  it('is for nobody who may not see the version', async () => {
    const { stranger } = world.people
    const attempt = call(world, stranger, 'version.print', {
      params: { id: world.study.versionId },
      query: { style: 'blank', language: 'zh' },
    })
    expect(await refusal(attempt)).toBe('not_found')
  })
})
