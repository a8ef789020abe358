import type { CallId } from '#core/api/table.ts'
import { newDefinition } from '#core/dataset/definition.ts'
import { entryId, visitId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import type { JsonValue } from '#core/json.ts'
import type { EntryTarget, RowChange } from '#core/sync/entryChange.ts'
import { scopeText } from '#core/sync/protocol/scope.ts'
import { png } from '#tests/core/files/samples.ts'
import { fileOf, nameFiles, upload } from '#tests/server/areas/attachment/support.ts'
import type { TestFile } from '#tests/server/areas/attachment/support.ts'
import type { Attempt, Ground } from '#tests/server/hostile/ground.ts'
import type { Person } from '#tests/server/support/world.ts'
import {
  call,
  change,
  enrol,
  enrolment,
  event,
  item,
  operationOf,
  queryPlace,
  questionOn,
  save,
  visitOf,
} from '#tests/server/support/world.ts'

/** What requests are about, so that each of them could be taken as it is. */
export interface Things {
  readonly patient: string
  readonly target: EntryTarget
  readonly conflictId: string
  readonly rid: string
  /** A photograph that is stored, and one that is only named. */
  readonly stored: TestFile
  readonly named: TestFile
  readonly regionId: string
  /** Key of an operation that waits for a decision. */
  readonly waiting: string
  /** A query that the site has not answered. */
  readonly queryId: string
}

/** A request that can be attacked: where its parts are and what they hold. */
export type Sound = Omit<Attempt, 'call'> & { readonly entityId?: string }

export async function makeThings({ world, versionId }: Ground): Promise<Things> {
  const { lin, wu } = world.people
  const [patient, rid, regionId] = [await enrol(world), newId(), newId()]
  const [stored, named] = [fileOf(png(64, 48, 300)), fileOf(png(80, 60, 300), '第二.png')]
  const target = await nameFiles(world, lin, versionId, patient, [stored, named])
  await upload(world, lin, target, stored)
  const rows: RowChange[] = [
    { table: 'drugs', rid, to: { deleted: false, order: 'V' }, base: null, seen: null, reason: null },
  ]
  await save(
    world,
    lin,
    change(target, { weight: 65, drug: item('drug', null, '甘草', { table: 'drugs', rid }) }, { rows }),
    { crfId: versionId },
  )
  const { conflicts } = await save(world, wu, change(target, { weight: 56 }), { crfId: versionId })
  const draft = {
    regionId,
    table: null,
    rid: null,
    code: 'note',
    rect: { x: 0.25, y: 0.5, width: 0.25, height: 0.125 },
    note: '',
    rev: null,
  }
  await call(world, lin, 'attachment.regionSave', { id: stored.reference.id, body: draft })
  // From a device that is blocked: taken in for a decision.
  const late = operationOf(world, wu, {
    call: 'entry.save',
    entityId: entryId(target),
    body: change(target, { note: '迟到' }) as never,
    crfVersionId: versionId,
  })
  await world.services.pool.query('UPDATE device SET blocked = true WHERE id = $1', [wu.deviceId])
  for await (const _line of await call(world, wu, 'sync.push', {
    body: { deviceId: wu.deviceId, report: reportOf(), ops: [late as never] },
  }))
    continue
  await world.services.pool.query('UPDATE device SET blocked = false WHERE id = $1', [wu.deviceId])
  const question = questionOn(world, patient)
  await call(world, world.people.monitor, 'query.raise', { body: question, crfId: versionId })
  return {
    patient,
    target,
    conflictId: conflicts[0]?.id ?? '',
    rid,
    stored,
    named,
    regionId,
    waiting: late.key,
    queryId: question.id,
  }
}

export function reportOf() {
  return {
    unsent: [{ scope: 'x', count: 1, oldest: '2026-11-02T01:02:03.000Z' }],
    clockDriftMs: 3,
    appVersion: '1.0.0',
    sentAt: '2026-11-02T01:02:03.000Z',
    refused: 0,
    drafts: 0,
    storage: { usedBytes: 1, quotaBytes: 2, persisted: true },
  }
}

/** A save in which every part of a change is said. */
function fullChange(target: EntryTarget, rid: string, code: string): JsonValue {
  const content = (value: JsonValue) => ({ value, missing: null })
  const reason = { code: 'transcription', text: '' }
  return {
    target: { ...target },
    items: [
      { table: null, rid: null, code, to: content('甲'), base: content(null), isShow: 1, reason },
      ...(code === 'term'
        ? []
        : [
            {
              table: 'drugs',
              rid,
              code: 'dose',
              to: { value: null, missing: { m: 'ND', reason: '未测' } },
              base: content(null),
              isShow: 1,
              reason: null,
            },
          ]),
    ],
    rows:
      code === 'term'
        ? []
        : [
            {
              table: 'drugs',
              rid,
              to: { deleted: false, order: 'W' },
              base: { deleted: false, order: 'V' },
              seen: null,
              reason,
            },
          ],
    journal: [{ table: null, rid: null, code, from: content(null), to: content('甲'), at: '2026-11-02T01:02:03.000Z' }],
    seen: null,
  }
}

/**
 * One request of each call that writes or asks with a body, as its own front end makes it. A call that is not here is
 * one that nobody attacks.
 */
export function soundWrites(ground: Ground, things: Things): Readonly<Partial<Record<CallId, Sound>>> {
  const { world } = ground
  const { study, people } = world
  const { lin, manager, monitor } = people
  const { target, patient, rid, stored, named, regionId, waiting, queryId } = things
  const { projectId, north: centerId, folderId } = study
  const id = entryId(target)
  const reason = { code: 'other', text: '核对' }
  const onPage = { who: lin, entityId: id, params: { id } }
  const again = event(world, patient, newId())
  const planned = visitOf(world, patient)
  const facts = [
    { field: 'actualDate', to: '2026-11-02', base: null },
    { field: 'deviationReason', to: '外地', base: null },
  ]
  const folder = {
    id: visitId({ patientId: patient, folderId, folderRepeat: '0' }),
    projectId,
    patientId: patient,
    folderId,
  }
  const picture = { who: lin, params: { id: stored.reference.id } }
  const { name, type, size, hash } = named.reference
  const content = (value: JsonValue) => ({ value, missing: null })
  const enrolled = newId()
  const save = { ...onPage, body: fullChange(target, rid, 'note') }
  const insert = {
    who: lin,
    entityId: entryId(again),
    params: { id: entryId(again) },
    body: fullChange(again, rid, 'term'),
  }
  const onFolder = { who: lin, entityId: folder.id, params: { id: folder.id } }
  const desk = { who: manager }
  const inRow = queryPlace(world, patient, { table: 'drugs', rid, code: 'dose' })
  const question = questionOn(world, patient, { place: inRow, dueOn: '2026-12-01' })
  return {
    'entry.save': save,
    'entry.smartSave': save,
    'entry.submit': save,
    'entry.insert': insert,
    'entry.smartInsert': insert,
    'entry.delete': { who: lin, entityId: id, query: { id }, body: { target: { ...target }, seenRev: 1, reason } },
    'conflict.resolve': {
      ...onPage,
      body: {
        target: { ...target },
        conflictId: things.conflictId,
        choice: 'new',
        seen: content(65),
        to: content(60),
        reason,
      },
    },
    'entry.unique': { ...onPage, body: { target: { ...target }, code: 'card', value: 'A1' } },
    'entry.pageSort': {
      who: manager,
      params: { id: study.vitalsId },
      crfId: ground.draftId,
      body: { sort: 0, folderId },
    },
    'patient.save': { who: lin, entityId: enrolled, body: enrolment(world, enrolled) as JsonValue },
    'patient.update': {
      who: lin,
      entityId: patient,
      body: {
        id: patient,
        projectId,
        fields: [
          { field: 'initials', to: 'LS', base: 'ZS' },
          { field: 'enrolledOn', to: '2026-11-03', base: '2026-11-02' },
        ],
        reason,
      },
    },
    'patient.remove': { who: lin, entityId: patient, body: { id: patient, projectId, reason } },
    'patient.expertSave': { who: lin, body: { patientId: patient, expertIds: [] } },
    'patient.memberSave': { who: lin, body: { patientId: patient, memIds: [] } },
    'patient.sendNotice': { who: lin, body: { projectId, pushType: 'note', content: '请复诊', patientIds: [patient] } },
    'patient.noticeWays': { who: lin, body: { projectId, patientIds: [patient] } },
    'visit.save': { who: lin, entityId: planned.id, body: { ...planned, fields: facts, reason } },
    'visit.update': { who: lin, entityId: planned.id, body: { ...planned, fields: facts, reason } },
    'visit.remove': { who: lin, entityId: planned.id, body: { ...planned, reason } },
    'folder.config': { ...onFolder, body: { ...folder, fields: [{ field: 'order', to: '1', base: null }], reason } },
    'folder.remove': { ...onFolder, body: { ...folder, reason } },
    'query.raise': { who: monitor, entityId: question.id, body: question as JsonValue },
    'query.act': {
      who: lin,
      entityId: queryId,
      body: {
        id: queryId,
        projectId,
        patientId: patient,
        act: 'answer',
        text: '已核对',
        category: 'confirmed',
        files: [{ ...fileOf(png(20, 10, 300)).reference }],
      },
    },
    'attachment.start': {
      who: lin,
      params: { id: named.reference.id },
      body: { entryId: id, table: null, rid: null, code: 'photos', name, type, size, hash, thumb: 'AAAA' },
    },
    'attachment.finish': { who: lin, params: { id: named.reference.id } },
    'attachment.remove': { who: lin, query: { ids: stored.reference.id }, body: { reason } },
    'attachment.regionSave': {
      ...picture,
      body: {
        regionId,
        table: null,
        rid: null,
        code: 'note',
        rect: { x: 0.25, y: 0.5, width: 0.25, height: 0.125 },
        note: '苔',
        rev: 1,
      },
    },
    'attachment.regionRemove': { ...picture, body: { regionId, reason: '框错了' } },
    'double.gapCheck': { ...desk, params: { id: patient } },
    'double.create': { ...desk, body: { patientId: patient, doubleSeqNo: 2, reason: '抽查' } },
    'double.destroy': { ...desk, query: { patientId: patient, doubleSeqNo: '2' }, body: { reason: '重录' } },
    'double.merge': {
      ...desk,
      body: {
        patientId: patient,
        compared: 'a'.repeat(64),
        choices: [{ id: `${id}..note.`, choose: 'new', to: content('丙'), reason }],
      },
    },
    'double.gapIgnore': { ...desk, body: { dataIdList: [`${id}..note.`], isIgnoreGap: 1, reason: '同义' } },
    'sync.device': {
      who: lin,
      body: {
        deviceId: lin.deviceId,
        name: '平板',
        userAgent: 'x',
        appVersion: '1',
        persisted: true,
        storageLost: true,
      },
    },
    'sync.keys': {
      who: lin,
      body: {
        deviceId: lin.deviceId,
        scopes: [projectId, scopeText({ kind: 'center', projectId, centerId, pass: 1 })],
      },
    },
    'sync.lease': { who: lin, body: { projectId, deviceId: lin.deviceId, centerId, want: 1 } },
    'sync.inboxDecide': { ...desk, params: { id: waiting }, body: { projectId, decision: 'return', note: '请重报' } },
    'sync.deviceBlock': {
      ...desk,
      params: { id: people.south.deviceId },
      body: { projectId, blocked: true, reason: '遗失' },
    },
    'sync.rescue': { ...desk, body: { projectId, file: '{}', apply: true } },
    ...looking(ground, manager),
  }
}

/** What is asked of the database, and of subjects. */
function looking({ world: { study } }: Ground, who: Person): Readonly<Partial<Record<CallId, Sound>>> {
  const { projectId, north: centerId, folderId, vitalsId: pageId } = study
  const field = { pageId, table: null, code: 'weight', part: null }
  const condition = {
    kind: 'all',
    of: [
      { kind: 'field', field, at: { which: 'visit', folderId }, test: { op: 'between', from: 40, to: 80 } },
      { kind: 'not', of: { kind: 'center', centers: [centerId] } },
      {
        kind: 'any',
        of: [
          { kind: 'sex', sex: 'F' },
          { kind: 'enrolled', from: '2026-01-01', to: null },
        ],
      },
    ],
  }
  const drug = { pageId, table: 'drugs', code: 'drug', part: null }
  const asked = { projectId, condition, show: [field, drug] }
  const question = {
    projectId,
    pageId,
    table: 'drugs',
    columns: ['drug', 'dose'],
    filters: [
      { column: 'dose', test: { op: 'oneOf', values: [1, 2] } },
      { column: 'drug', test: { op: 'missing', reason: 'ND' } },
    ],
    centerId,
    folderId,
    status: 'process',
    words: 'N01',
    sort: { by: { column: 'dose' }, down: true },
  }
  return {
    'search.count': { who, body: { projectId, condition } },
    'search.subjects': { who, body: { ...asked, current: 1, size: 10 } },
    'search.export': { who, params: { name: '受试者.csv' }, body: asked },
    'search.save': { who, body: { id: newId(), projectId, name: '体重', condition, isShared: true } },
    'search.remove': { who, body: { id: newId(), projectId } },
    'report.scheduleSave': {
      who,
      body: {
        id: newId(),
        projectId,
        kind: 'queries',
        centerId,
        rhythm: { every: 'week', weekday: 1 },
        language: 'zh',
      },
    },
    'report.scheduleRemove': { who, body: { id: newId(), projectId } },
    'report.pinSave': { who, body: { projectId, kinds: ['queries', 'visits'] } },
    'database.rows': { who, body: { ...question, offset: 0, size: 50 } },
    'database.export': {
      who,
      params: { name: '数据.csv' },
      body: { ...question, keys: ['subject', 'visit'], values: 'labels' },
    },
  }
}

/** One request of each call that reads. */
export function soundReads(ground: Ground, things: Things): Readonly<Partial<Record<CallId, Sound>>> {
  const { study, people } = ground.world
  const { lin, manager } = people
  const { patient, target, stored, waiting, queryId } = things
  const { projectId, north: centerId, folderId, vitalsId } = study
  const id = entryId(target)
  const paging = { current: '1', size: '10' }
  const file = { who: lin, params: { id: stored.reference.id } }
  return {
    'entry.content': { who: lin, query: { patientId: patient, id, crfPageId: vitalsId, folderId } },
    'entry.list': { who: lin, query: { patientId: patient } },
    'entry.marks': { who: lin, query: { projectId, patientIds: patient, centerId, todo: 'process', ...paging } },
    'entry.pagePatients': { who: lin, params: { id: vitalsId }, query: paging },
    'entry.fieldPatients': { who: lin, params: { id: `${vitalsId}.drugs` }, query: paging },
    'entry.notice': { who: lin, params: { id: patient } },
    'entry.todo': { who: lin, query: { patientId: patient, today: '2026-11-02' } },
    'conflict.list': { who: lin, query: { projectId, patientId: patient, entryId: id, state: 'open', ...paging } },
    'patient.list': {
      who: lin,
      query: {
        projectId,
        centerId,
        no: 'N',
        sex: 'F',
        from: '2026-01-01',
        to: '2026-12-31',
        todo: 'any',
        mine: 'true',
        skipSensitive: 'true',
        ...paging,
      },
    },
    'patient.detail': { who: lin, query: { id: patient, skipSensitive: 'true' } },
    'patient.project': { who: lin, query: { id: patient } },
    'patient.excel': {
      who: manager,
      params: { name: '名单.xlsx' },
      query: { projectId, centerId, from: '2026-01-01' },
    },
    'visit.list': {
      who: lin,
      query: {
        projectId,
        patientId: patient,
        centerId,
        group: 'waiting',
        status: 'due',
        from: '2026-01-01',
        to: '2026-12-31',
        today: '2026-11-02',
        ...paging,
      },
    },
    'query.list': {
      who: manager,
      query: {
        projectId,
        state: 'open,answered',
        source: 'monitor',
        centerId,
        patientId: patient,
        folderId,
        pageId: vitalsId,
        entryId: id,
        waits: '1',
        own: '1',
        assigned: '1',
        urgent: '1',
        overdue: '1',
        days: '3',
        words: '体重',
        today: '2026-11-02',
        sort: 'due',
        ...paging,
      },
    },
    'version.print': { who: manager, params: { id: study.versionId }, query: { style: 'blank', language: 'zh' } },
    'database.pages': { who: manager, query: { projectId } },
    'statistics.tables': { who: manager, body: { projectId, definition: newDefinition('zh') } },
    'statistics.columns': {
      who: manager,
      body: {
        projectId,
        definition: newDefinition('zh'),
        table: 'subjects',
        variables: ['subject_key', 'sex', 'subjects.center'],
      },
    },
    'database.columns': { who: manager, query: { projectId, pageId: vitalsId, table: 'drugs' } },
    'search.list': { who: manager, query: { projectId } },
    'report.schedules': { who: manager, query: { projectId } },
    'report.pins': { who: manager, query: { projectId } },
    'query.assignees': { who: manager, body: { projectId, ids: [queryId] } },
    'query.placeLines': {
      who: manager,
      body: {
        projectId,
        lines: [
          {
            subject: 'N01-001',
            visit: '基线',
            visitRepeat: '1',
            page: '生命体征',
            pageRepeat: '1',
            row: '1',
            field: '剂量',
            text: '请核对',
            due: '2026-12-24',
          },
        ],
      },
    },
    'query.byVisit': { who: lin, query: { projectId } },
    'query.counts': { who: lin, query: { projectId } },
    'attachment.ofPatient': { who: lin, query: { patientId: patient, ...paging } },
    'attachment.ofPage': { who: lin, query: { id } },
    'attachment.pageRegions': { who: lin, query: { id } },
    'attachment.detail': file,
    'attachment.content': file,
    'attachment.thumb': file,
    'attachment.regions': file,
    'attachment.images': { who: lin, query: { patientId: patient, code: 'photos', ...paging } },
    'double.list': { who: manager, params: { id: patient } },
    'double.agreement': { who: manager, query: { projectId, centerId } },
    'double.detail': { who: lin, query: { patientId: patient, skipSensitive: 'true' } },
    'double.patients': { who: lin, query: { no: 'N', ...paging } },
    'sync.scopes': { who: lin, query: { projectId } },
    'sync.inbox': { who: manager, query: { projectId, state: 'open', ...paging } },
    'sync.inboxDetail': { who: manager, params: { id: waiting }, query: { projectId } },
    'sync.devices': { who: manager, query: { projectId, ...paging } },
    'audit.list': {
      who: manager,
      query: {
        projectId,
        patientId: patient,
        entryId: id,
        pageId: vitalsId,
        prop: 'note',
        userId: lin.userId,
        kind: 'values',
        unexplained: '1',
        from: '2026-11-02T01:02:03.000Z',
        to: '2026-12-02T01:02:03.000Z',
        before: '9.9',
        ...paging,
      },
    },
    'audit.field': {
      who: lin,
      params: { id },
      query: {
        projectId,
        prop: 'note',
        table: 'drugs',
        rid: things.rid,
        versionId: ground.versionId,
        before: '9.9',
        ...paging,
      },
    },
    'audit.verify': { who: manager, query: { projectId } },
  }
}
