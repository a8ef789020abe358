import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import type { SaveResult } from '#core/api/calls/entry.ts'
import type { TreeFolder } from '#core/api/calls/version.ts'
import { entryId } from '#core/derivedIds.ts'
import { readRedcapDictionary } from '#core/exchange/redcap/dictionary.ts'
import { createFormState } from '#core/form/engine/engine.ts'
import { newId } from '#core/ids.ts'
import { jsonEqual } from '#core/json.ts'
import { definitionInputOf } from '#src/screens/versions/exchange/importInput.ts'
import { DICTIONARIES, samplePath } from '#tests/core/exchange/samples.ts'
import { fillRightly } from '#tests/core/form/answers.ts'
import { MOMENT, compiledVisit } from '#tests/core/form/filling.ts'
import type { Client } from '#tests/server/support/app.ts'
import { serverForAllTests } from '#tests/server/support/appFor.ts'
import { addCenter, changeStatus, createProject, joinAs } from '#tests/server/support/project.ts'

/** The forms of the samples go all the way: released on a server, filled, submitted without an error. */

const server = serverForAllTests()
let admin: Client
beforeAll(async () => {
  admin = await server.signInAdmin()
})

/** A running project with the dictionary released, a patient, and a coordinator who looks after them. */
async function running(file: string) {
  const source = readFileSync(samplePath('redcap', file), 'utf8')
  const read = readRedcapDictionary(source)
  if (!read.ok) throw new Error(file)
  const { id: projectId } = await createProject(admin, file)
  const { id: centerId } = await addCenter(admin, projectId, 'N01')
  const { id: crfId } = await admin.get<{ id: string }>('version.save', { body: { projectId, remark: '首版' } })
  await admin.get('version.import', {
    query: { crfId },
    body: { definition: definitionInputOf(read.definition, '访视'), sourceName: file, source },
  })
  await admin.get('version.releaseTest', { query: { crfId } })
  await admin.get('version.release', { query: { crfId } })
  await changeStatus(admin, projectId, 'process')
  const { client } = await joinAs(server, admin, projectId, `crc-${file.replaceAll(/\W/g, '')}`, 'CRC', {
    dataScope: 'center',
    centerIds: [centerId],
  })
  const patientId = newId()
  const identity = { name: null, mobile: null, email: null, birthDate: null }
  await client.get('patient.save', {
    body: {
      id: patientId,
      projectId,
      centerId,
      no: null,
      mark: '7F3A',
      initials: 'ZS',
      sex: 'F',
      enrolledOn: '2026-03-01',
      identity,
    },
  })
  const [folder] = await client.get<readonly TreeFolder[]>('version.tree', { params: { id: crfId } })
  if (folder === undefined) throw new Error('the version has no visit')
  return { projectId, crfId, patientId, client, folder, pages: compiledVisit(read.definition.pages) }
}

describe('dictionaries on a server', () => {
  it.each(DICTIONARIES)('%s: every form is submitted without an error', { timeout: 120_000 }, async (file) => {
    const { projectId, crfId, patientId, client, folder, pages } = await running(file)
    for (const [code, compiled] of pages) {
      const page = folder.crfPageVOList.find(({ pageCode }) => pageCode === code)
      if (page === undefined) throw new Error(code)
      const target = {
        patientId,
        folderId: folder.id,
        folderRepeat: '0',
        pageId: page.id,
        pageRepeat: '0',
        parentEntryId: null,
        pass: 1 as const,
      }
      const form = createFormState(
        compiled,
        { values: {}, missing: {} },
        { moment: MOMENT, readOnly: false, isNew: true },
      )
      expect({ code, stuck: fillRightly(form) }).toEqual({ code, stuck: [] })
      form.takeInitial()
      const items = form.changes().map(({ table, rid, code, value, base, missing, baseMissing }) => ({
        table,
        rid,
        code,
        to: { value, missing },
        base: { value: base, missing: baseMissing },
        isShow: 1,
        reason: null,
      }))
      const saved = await client.get<SaveResult>('entry.submit', {
        params: { id: entryId(target) },
        body: { target, items, rows: [], journal: [], seen: null },
        headers: { projectId, crfId },
      })
      expect({ code, error: saved.error, submitted: saved.submitted, status: saved.entry?.status }).toEqual({
        code,
        error: {},
        submitted: { done: true, why: null },
        status: 'other',
      })
      const others = items.filter(({ code, to }) => !jsonEqual(saved.entry?.values[code] ?? null, to.value))
      expect({ code, others }).toEqual({ code, others: [] })
    }
  })
})
