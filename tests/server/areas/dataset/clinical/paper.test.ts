import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import type { DataSetDefinition } from '#core/dataset/definition.ts'
import { runDataSets } from '#server/jobs/dataSetRun.ts'
import { png } from '#tests/core/files/samples.ts'
import { fileOf, nameFiles, releaseWithPhotos, upload } from '#tests/server/areas/attachment/support.ts'
import { drawnPng } from '#tests/server/support/drawnPng.ts'
import { fontsOfPdf, imagesOfPdf, infoOfPdf, inkOfPdf } from '#tests/server/support/pdf.ts'
import { change, enrol, item, queryPlace, save } from '#tests/server/support/world.ts'
import type { Person } from '#tests/server/support/world.ts'
import { worldForEachTest } from '#tests/server/support/worldFor.ts'

import { ask, decide, entered, filesIn, runOf } from '../support.ts'
import { addAdmin, asks, casebook, papersIn, takeArchive, takeCasebooks } from './support.ts'

/** Casebooks for paper: what stands in them, for whom, and that they are PDF as others read it. */

const world = worldForEachTest()
let reader: Person
let approver: Person
beforeEach(async () => {
  reader = await addAdmin(world, 'north', [world.study.north])
  approver = await addAdmin(world, 'second', [world.study.north, world.study.south])
})

const TIMEOUT_MS = 120_000
const BECAUSE = { reason: { code: 'transcription' as const, text: '笔误' } }
const paper = (more: Partial<DataSetDefinition> = {}) => casebook({ formats: ['pdf'], ...more })

/** All casebooks of such a run, as one text. */
async function printed(more: Partial<DataSetDefinition> = {}): Promise<string> {
  const files = await takeCasebooks(world, reader, approver, paper(more))
  return Object.entries(files)
    .filter(([name]) => name.endsWith('.pdf'))
    .map(([, text]) => text)
    .join('\n')
}

/** Sizes of the pictures in the casebook of the first subject. */
async function picturesOf(more: Partial<DataSetDefinition>): Promise<readonly string[]> {
  const papers = papersIn(await takeArchive(world, reader, approver, paper(more)))
  return imagesOfPdf(papers['pdf/N01-001.pdf'] ?? new Uint8Array())
}

describe('a casebook for paper', { timeout: TIMEOUT_MS }, () => {
  it('is a PDF for archives with its font inside, ink on every sheet, and its hash in the manifest', async () => {
    await entered(world, { height: 171, note: '面色㿠白，脉沉细' })
    await entered(world, { height: 172 })
    const archive = await takeArchive(world, reader, approver, paper())
    const papers = papersIn(archive)
    expect(Object.keys(papers)).toEqual(['pdf/N01-001.pdf', 'pdf/N01-002.pdf'])
    const pdf = papers['pdf/N01-001.pdf'] ?? new Uint8Array()
    expect(await infoOfPdf(pdf)).toMatch(/Title: +病例报告表 受试者编号：N01-001/)
    const fonts = (await fontsOfPdf(pdf)).trim().split('\n').slice(2)
    expect(fonts.length).toBeGreaterThan(0)
    for (const font of fonts) expect(font).toMatch(/NotoSansSC-\w+ +CID TrueType +Identity-H +yes yes yes/)
    expect(Math.min(...(await inkOfPdf(pdf)))).toBeGreaterThan(200)
    expect(Buffer.from(pdf).toString('latin1')).toContain('pdfaid')
    const { files } = JSON.parse(filesIn(archive)['manifest.json'] ?? '') as {
      files: { name: string; sha256: string }[]
    }
    expect(files.find(({ name }) => name === 'pdf/N01-001.pdf')?.sha256).toBe(
      createHash('sha256').update(pdf).digest('hex'),
    )
  })

  it('says what was entered in the words of its fields, by whom and when, and numbers its sheets', async () => {
    await entered(world, { height: 171, weight: 65.5, smokes: '0', note: '面色㿠白' })
    const text = await printed()
    expect(text).toMatch(/身高 +171\n/)
    expect(text).toMatch(/吸烟 +否 \[0\]/)
    expect(text).toContain('面色㿠白')
    expect(text).toMatch(/状态 +已提交/)
    expect(text).toMatch(/最后保存 +lin \(测试\) \d{4}-\d\d-\d\d/)
    expect(text).toMatch(/north \(测试\) 制作 +1\/\d/)
    expect(text).toContain('N01-001')
  })

  it('is in the language that is asked for', async () => {
    await entered(world, { height: 171 })
    const text = await printed({ language: 'en' })
    expect(text).toContain('Case report form')
    expect(text).toMatch(/Status +Submitted/)
    expect(text).not.toContain('病例报告表')
  })

  it('has queries where they are asked for, and its trail only in the format that has it', async () => {
    const { lin } = world.people
    const target = await entered(world, { height: 171 })
    await save(world, lin, change(target, { height: item('height', 171, 172, BECAUSE) }), { as: 'entry.submit' })
    const place = queryPlace(world, target.patientId)
    await asks(world, target.patientId, { text: '请核对身高', place: { ...place, code: 'height' } })
    await asks(world, target.patientId, {
      text: '访视的质疑',
      place: { ...place, pageId: null, pageRepeat: null, parentEntryId: null, pass: null },
    })
    const plain = await printed()
    expect(plain).toContain('请核对身高')
    expect(plain).toContain('访视的质疑')
    expect(plain).not.toContain('笔误')
    expect(await printed({ print: { queries: false, photographs: false } })).not.toMatch(/请核对身高|访视的质疑/)
    const whole = await printed({ formats: ['pdf-trail'] })
    expect(whole).toContain('171 → 172')
    expect(whole).toContain('转录错误')
    expect(whole).toContain('笔误')
  })

  it('shows no place for a field that its reader may not see, or that was not chosen', async () => {
    await entered(world, { height: 171, contact: '旧联系人', note: '没选的备注' })
    const masked = await printed()
    expect(masked).not.toContain('联系人')
    expect(masked).toContain('没选的备注')
    const chosen = await printed({
      pages: [{ pageId: world.study.vitalsId, fields: [{ table: null, code: 'height' }] }],
    })
    expect(chosen).toContain('身高')
    expect(chosen).not.toContain('备注')
    expect(chosen).not.toContain('吸烟')
  })

  it('prints what would be a command anywhere else as it was entered', async () => {
    const hostile = [
      '#read("/etc/passwd")',
      '$ sum_(k=1)^n k $',
      '\\ ] [ * _ ` <label> @ref // -- ~',
      '#import "@preview/example:0.1.0"',
      '#panic("x")',
      '${7*7}',
      '</text>',
    ]
    await entered(world, { height: 171, note: hostile.join(' ; ') })
    const text = (await printed({ formats: ['pdf-trail'] })).replaceAll(/\s+/g, '')
    for (const part of hostile) expect(text).toContain(part.replaceAll(/\s+/g, ''))
    expect(text).not.toContain('root:x:0')
  })

  it('has pictures where they are asked for, but for what its reader may not see, and names what it cannot print', async () => {
    const { lin } = world.people
    const crfId = await releaseWithPhotos(world)
    const patientId = await enrol(world)
    const tongue = fileOf(drawnPng(60, 40), '舌象.png')
    const broken = fileOf(png(40, 30), '坏的.png')
    const lost = fileOf(drawnPng(30, 30), '没传的.png')
    const face = fileOf(drawnPng(50, 50), '面部.png')
    const target = await nameFiles(world, lin, crfId, patientId, [tongue, broken, lost])
    await save(world, lin, change(target, { face: [{ ...face.reference }] }), { crfId })
    for (const file of [tongue, broken]) await upload(world, lin, target, file)
    await upload(world, lin, target, face, 'face')
    expect(await picturesOf({ print: { queries: true, photographs: false } })).toEqual([])
    const print = { queries: true, photographs: true }
    expect(await picturesOf({ print })).toEqual(['60x40'])
    const files = await takeCasebooks(world, reader, approver, paper({ print }))
    const text = files['pdf/N01-001.pdf'] ?? ''
    expect(text).toMatch(/坏的\.png — 此类文件不打印/)
    expect(text).toMatch(/没传的\.png — 服务器上没有此文件/)
    expect(text).not.toContain('面部')
    expect(files['pdf/notes.csv']).toContain('图片未打印')
  })

  it('comes to nothing where this server cannot print, and the run says so', async () => {
    await entered(world, { height: 171 })
    const { id } = await ask(world, reader, paper())
    await decide(world, approver, id)
    const path = process.execPath
    try {
      process.execPath = '/nowhere/node'
      await runDataSets(world.services)
    } finally {
      process.execPath = path
    }
    expect(await runOf(world, reader, id)).toMatchObject({ state: 'failed', why: 'no_print', hash: null })
  })

  it('says the number of a character that its font does not have', async () => {
    await entered(world, { height: 171, note: '痛😀止' })
    expect(await printed()).toContain('痛[U+1F600]止')
  })
})
