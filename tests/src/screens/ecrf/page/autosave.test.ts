import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { edit } from '#src/form/formActions.ts'
import { CompiledVersion } from '#core/form/compiled/compiledVersion.ts'
import { createFormState } from '#core/form/engine/engine.ts'
import type { FormState } from '#core/form/engine/engine.ts'
import type { ConfirmationGiven } from '#core/sync/confirmation.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import type { EntryTarget, JournalStep } from '#core/sync/entryChange.ts'
import { mergeEntry } from '#core/sync/merge.ts'
import { Autosave, SAVE_DEBOUNCE_MS } from '#src/screens/ecrf/page/autosave.ts'
import type { EntrySave, SavedWrite } from '#src/data/shapes/types.ts'

const target: EntryTarget = {
  patientId: '0190a000-0000-7000-8000-000000000001',
  folderId: '0190a000-0000-7000-8000-000000000002',
  folderRepeat: '0',
  pageId: '0190a000-0000-7000-8000-000000000003',
  pageRepeat: '0',
  parentEntryId: null,
  pass: 1,
}

const VITALS = {
  pageCode: 'vitals',
  option: JSON.stringify({
    column: [
      { prop: 'weight', label: '体重', type: 'number' },
      { prop: 'height', label: '身高', type: 'number' },
      { prop: 'note', label: '备注', type: 'input' },
      { prop: 'double', label: '两倍', type: 'number', zl: { calculate: 'page.weight * 2.0' } },
      { prop: 'half', label: '肌酐之半', type: 'number', zl: { calculate: 'visit.lab.creatinine / 2.0' } },
    ],
  }),
}
const LAB = {
  pageCode: 'lab',
  option: JSON.stringify({ column: [{ prop: 'creatinine', label: '肌酐', type: 'number' }] }),
}

/** A page with weight, height and what follows from them, on a tablet whose disk the test controls. */
class Bedside {
  readonly form: FormState
  readonly autosave: Autosave
  readonly journal: JournalStep[] = []
  /** Answers to warnings that were journalled. */
  readonly answers: ConfirmationGiven[] = []
  /** Under which its typing was journalled. */
  readonly openings = new Set<string>()
  /** Openings of which the journal was to let go. */
  readonly letGo: string[] = []
  /** Openings of which it was to forget what no save holds. */
  readonly discarded: string[] = []
  readonly saves: EntrySave[] = []
  /** What was made ready beforehand. */
  readonly prepared: EntrySave[] = []
  readonly submits: EntrySave[] = []
  /** What lies on the tablet. */
  stored: EntryData = { values: {}, missing: {} }
  disk: 'works' | 'full' | 'slow' | 'broken' = 'works'
  /** How many saves the tablet has taken down. */
  writes = 0
  #waiting: (() => void)[] = []

  constructor({ option = VITALS.option, isNew = false } = {}) {
    const compiled = new CompiledVersion([{ folderCode: 'v0', pages: [{ ...VITALS, option }, LAB] }]).page({
      folder: 'v0',
      page: 'vitals',
    })
    if (!compiled.ok) throw new Error(JSON.stringify(compiled))
    this.form = createFormState(compiled.compiled, this.stored, {
      moment: { today: '2026-11-21', now: '2026-11-21 09:00:00' },
      readOnly: false,
      isNew,
    })
    this.autosave = new Autosave(
      this.form,
      { target, versionId: 'v1' },
      {
        journal: (step, opening) => {
          this.journal.push(step)
          this.openings.add(opening)
        },
        journalAnswer: (answer, opening) => {
          this.answers.push(answer)
          this.openings.add(opening)
        },
        letGo: (opening) => Promise.resolve(this.letGo.push(opening)),
        discard: (opening) => Promise.resolve(this.discarded.push(opening)),
        prepare: (save) => this.prepared.push(save),
        save: (save) => this.#write(save, this.saves),
        submit: (save) => this.#write(save, this.submits),
      },
    )
  }

  /** Types a text into a field, keystroke by keystroke. */
  type(prop: string, text: string): void {
    for (let length = 1; length <= text.length; length += 1) this.edit(prop, text.slice(0, length))
  }

  /** One keystroke, after which the field holds a text. */
  edit(prop: string, text: string): void {
    edit({ state: this.form, onEdit: (one) => this.autosave.edited(one) }, prop, (form) => form.setText(prop, text))
  }

  /** Creatinine is saved on the page of the laboratory, beside this one. */
  lab(creatinine: number): void {
    this.autosave.offerOtherPages(new Map([['v0/lab', { values: { creatinine }, missing: {} }]]))
  }

  /** The hand rests long enough for a save. */
  async rest(ms = SAVE_DEBOUNCE_MS): Promise<void> {
    await vi.advanceTimersByTimeAsync(ms)
  }

  /** A slow disk comes to the end of what it was given. */
  async diskCatchesUp(): Promise<void> {
    for (const done of this.#waiting.splice(0)) done()
    await vi.advanceTimersByTimeAsync(0)
  }

  async #write(save: EntrySave, list: EntrySave[]): Promise<SavedWrite> {
    if (this.disk === 'slow') await new Promise<void>((done) => this.#waiting.push(done))
    if (this.disk === 'broken') throw new Error('a defect')
    if (this.disk === 'full') return { ok: false, error: { code: 'storage_full' } }
    list.push(save)
    this.stored = mergeEntry(this.stored, save).data
    this.writes += 1
    return { ok: true, at: new Date().toISOString(), order: this.writes }
  }
}

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-21T01:00:00Z') })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('a page on which everything was taken back before it is left', () => {
  test('leaves nothing of it in the journal, and keeps the way there as long as it is open', async () => {
    const bedside = new Bedside()
    bedside.type('note', 'ab')
    bedside.type('weight', '7')
    bedside.edit('weight', '')
    bedside.edit('note', '')
    await bedside.rest()
    expect([bedside.saves, bedside.letGo]).toEqual([[], []])
    await bedside.autosave.close()
    expect([bedside.saves, bedside.letGo]).toEqual([[], [...bedside.openings]])
  })

  test('likewise after a save', async () => {
    const bedside = new Bedside()
    bedside.type('note', 'ab')
    await bedside.rest()
    bedside.edit('note', 'abc')
    bedside.edit('note', 'ab')
    await bedside.autosave.close()
    expect([bedside.saves.length, bedside.letGo.length]).toEqual([1, 1])
  })

  test('has nothing to let go where all was saved, where nothing was typed, and while a save fails', async () => {
    const [saved, untouched, failing] = [new Bedside(), new Bedside(), new Bedside()]
    saved.type('note', 'ab')
    await saved.autosave.close()
    await untouched.autosave.close()
    failing.disk = 'full'
    failing.type('note', 'ab')
    await failing.autosave.close()
    expect([saved, untouched, failing].map(({ letGo }) => letGo)).toEqual([[], [], []])
  })

  test('keeps what was typed and not taken back, though a colleague has entered the same meanwhile', async () => {
    const bedside = new Bedside()
    bedside.type('note', 'ab')
    bedside.autosave.offer({ values: { note: 'ab' }, missing: {} }, 1)
    await bedside.autosave.close()
    expect([bedside.saves, bedside.letGo]).toEqual([[], []])
  })
})

describe('a page that is left on a full disk, and what is on it discarded', () => {
  /** What was typed could not be saved, and whoever typed it was asked and leaves without it. */
  async function discarded(): Promise<Bedside> {
    const bedside = new Bedside()
    bedside.disk = 'full'
    bedside.type('weight', '62')
    await bedside.rest()
    bedside.autosave.discard()
    return bedside
  }

  test('is never saved, whoever asks for it and however much room there is later, and its journal forgets it', async () => {
    const bedside = await discarded()
    const closed = bedside.autosave.close()
    bedside.disk = 'works'
    await closed
    await bedside.autosave.untilSaved()
    expect(await bedside.autosave.flush()).toBe(true)
    await bedside.rest(120_000)
    expect([bedside.saves, bedside.discarded, bedside.letGo]).toEqual([[], [...bedside.openings], []])
    expect([bedside.autosave.isFailing, bedside.autosave.isUnsaved]).toEqual([false, false])
  })

  test('releases who waits until all of it is saved', async () => {
    const bedside = new Bedside()
    bedside.disk = 'full'
    bedside.type('weight', '62')
    const waits = bedside.autosave.untilSaved()
    await bedside.rest()
    bedside.autosave.discard()
    await bedside.autosave.close()
    await waits
    expect(bedside.saves).toEqual([])
  })

  test('is not tried again where a try was under way that fails', async () => {
    const bedside = new Bedside()
    bedside.disk = 'slow'
    bedside.type('weight', '62')
    await bedside.rest()
    bedside.autosave.discard()
    bedside.disk = 'full'
    await bedside.autosave.close()
    await bedside.diskCatchesUp()
    bedside.disk = 'works'
    await bedside.rest(120_000)
    expect(bedside.saves).toEqual([])
  })

  test('counts again, with all that is on the screen, where its author types on before the page is gone', async () => {
    const bedside = await discarded()
    bedside.type('height', '170')
    bedside.disk = 'works'
    await bedside.autosave.close()
    expect(bedside.stored.values).toMatchObject({ weight: 62, height: 170 })
    expect(bedside.discarded).toEqual([])
  })
})

describe('filling a page', () => {
  test('what was typed and taken back again before the hand rested stays a step of its own in the next save', async () => {
    const bedside = new Bedside()
    bedside.type('note', 'ab')
    bedside.edit('note', '')
    await bedside.rest()
    expect(bedside.saves).toEqual([])
    bedside.type('note', 'c')
    await bedside.rest()
    expect(bedside.saves[0]?.journal.map(({ from, to }) => [from.value, to.value])).toEqual([
      [null, null],
      [null, 'c'],
    ])
  })

  test('every keystroke is journalled at once, and one save is made when the hand rests', async () => {
    const bedside = new Bedside()
    bedside.type('weight', '62')
    expect(bedside.journal).toHaveLength(2)
    expect(bedside.saves).toHaveLength(0)
    expect(bedside.autosave.getStatus().state).toBe('editing')

    await bedside.rest()
    expect(bedside.saves).toHaveLength(1)
    expect(bedside.autosave.getStatus().state).toBe('saved')
    expect(bedside.stored.values).toMatchObject({ weight: 62, double: 124 })
  })

  test('while the hand rests the next save is made ready, and that very one is saved', async () => {
    const bedside = new Bedside()
    bedside.type('weight', '62')
    await bedside.rest(200)
    expect(bedside.prepared).toHaveLength(1)
    expect(bedside.saves).toHaveLength(0)
    await bedside.autosave.flush()
    expect(bedside.saves[0]).toBe(bedside.prepared[0])
  })

  test('what was made ready is not saved once more was typed, or something came from elsewhere', async () => {
    const bedside = new Bedside()
    bedside.type('weight', '62')
    await bedside.rest(200)
    bedside.type('note', '甲')
    await bedside.autosave.flush()
    expect(bedside.saves).toHaveLength(1)
    expect(bedside.stored.values).toMatchObject({ weight: 62, note: '甲' })

    bedside.type('weight', '63')
    await bedside.rest(200)
    bedside.autosave.offer({ values: { ...bedside.stored.values, height: 170 }, missing: {} }, bedside.writes)
    await bedside.autosave.flush()
    expect(bedside.prepared).toHaveLength(2)
    expect(bedside.saves[1]).not.toBe(bedside.prepared[1])
    expect(bedside.saves[1]?.items.find(({ code }) => code === 'weight')).toMatchObject({
      base: { value: 62 },
      to: { value: 63 },
    })
  })

  test('a save holds one step for a run of keystrokes, with the text as typed', async () => {
    const bedside = new Bedside()
    bedside.type('weight', '1.10')
    await bedside.rest()
    expect(bedside.saves[0]?.journal).toMatchObject([{ code: 'weight', from: { value: null }, to: { value: '1.10' } }])
    expect(bedside.saves[0]?.items.find(({ code }) => code === 'weight')).toMatchObject({
      base: { value: null },
      to: { value: 1.1 },
    })
  })

  test('the next save builds on the last one, even before its echo has come back', async () => {
    const bedside = new Bedside()
    bedside.type('note', '甲')
    await bedside.rest()
    bedside.type('note', '甲乙')
    await bedside.rest()
    expect(bedside.saves[1]?.items).toMatchObject([{ code: 'note', base: { value: '甲' }, to: { value: '甲乙' } }])
  })

  test('typing goes on while a save is under way, and what was typed meanwhile is saved after it', async () => {
    const bedside = new Bedside()
    bedside.disk = 'slow'
    bedside.type('weight', '62')
    await bedside.rest()
    bedside.type('height', '170')
    await bedside.rest()
    expect(bedside.saves).toHaveLength(0)

    await bedside.diskCatchesUp()
    expect(bedside.saves).toHaveLength(1)
    await bedside.rest()
    await bedside.diskCatchesUp()
    expect(bedside.stored.values).toMatchObject({ weight: 62, height: 170 })
    expect(bedside.saves[1]?.items.map(({ code }) => code)).toEqual(['height'])
  })

  test('on a full disk nothing is lost: the page says so, keeps the values, and saves when there is room again', async () => {
    const bedside = new Bedside()
    bedside.disk = 'full'
    bedside.type('weight', '62')
    await bedside.rest()
    expect(bedside.autosave.getStatus()).toEqual({ state: 'failed', error: { code: 'storage_full' } })
    expect(bedside.form.getCell('weight')?.value).toBe(62)

    bedside.disk = 'works'
    await bedside.rest(1000)
    expect(bedside.autosave.getStatus().state).toBe('saved')
    expect(bedside.saves[0]?.journal).toHaveLength(1)
    expect(bedside.stored.values).toMatchObject({ weight: 62 })
  })

  test('an echo of an older state does not take back what was just saved', async () => {
    const bedside = new Bedside()
    bedside.type('note', '甲')
    await bedside.rest()
    const older = bedside.stored
    bedside.type('note', '甲乙')
    await bedside.rest()
    // However late it comes.
    await bedside.rest(60_000)
    bedside.autosave.offer(older, 1)
    expect(bedside.form.getCell('note')?.value).toBe('甲乙')
    bedside.autosave.offer(bedside.stored, 2)
    expect(bedside.form.getCell('note')?.value).toBe('甲乙')
  })

  test('a newer reading that no longer holds the save is shown at once: a colleague was given the last word', async () => {
    const bedside = new Bedside()
    bedside.type('note', '甲')
    await bedside.rest()
    bedside.autosave.offer({ values: { note: '乙' }, missing: {} }, 1)
    expect(bedside.form.getCell('note')?.value).toBe('乙')
  })

  test('a colleague’s value of the very field that is being edited is not overwritten unseen', async () => {
    const bedside = new Bedside()
    bedside.type('note', '我')
    bedside.autosave.offer({ values: { note: '同事' }, missing: {} }, 0)
    expect(bedside.form.getCell('note')?.value).toBe('我')
    await bedside.rest()
    expect(bedside.saves[0]?.items).toMatchObject([{ code: 'note', base: { value: null }, to: { value: '我' } }])
  })

  test('a defect while saving is said, and the page goes on saving', async () => {
    vi.stubGlobal('reportError', () => undefined)
    const bedside = new Bedside()
    bedside.disk = 'broken'
    bedside.type('weight', '62')
    await bedside.rest()
    expect(bedside.autosave.getStatus()).toEqual({ state: 'failed', error: { code: 'internal' } })
    bedside.disk = 'works'
    await bedside.rest(1000)
    expect(bedside.stored.values).toMatchObject({ weight: 62 })
  })

  test("another person's change of another field arrives while one is typing", async () => {
    const bedside = new Bedside()
    bedside.type('weight', '62')
    bedside.autosave.offer({ values: { note: '由同事填写' }, missing: {} }, 0)
    expect(bedside.form.getCell('note')?.value).toBe('由同事填写')
    expect(bedside.form.getCell('weight')?.value).toBe(62)
    await bedside.rest()
    expect(bedside.saves[0]?.items.map(({ code }) => code)).toEqual(['weight', 'double'])
  })

  test('leaving the page saves what the debounce still held back', async () => {
    const bedside = new Bedside()
    bedside.type('weight', '62')
    expect(await bedside.autosave.flush()).toBe(true)
    expect(bedside.stored.values).toMatchObject({ weight: 62 })
  })

  test('what is typed while the page is saved before it is left is saved too', async () => {
    const bedside = new Bedside()
    bedside.disk = 'slow'
    bedside.type('weight', '62')
    const flushed = bedside.autosave.flush()
    bedside.type('height', '170')
    bedside.disk = 'works'
    await bedside.diskCatchesUp()
    expect(await flushed).toBe(true)
    expect(bedside.stored.values).toMatchObject({ weight: 62, height: 170 })
  })

  test('a page that cannot be saved may not be left unnoticed', async () => {
    const bedside = new Bedside()
    bedside.disk = 'full'
    bedside.type('weight', '62')
    expect(await bedside.autosave.flush()).toBe(false)
  })

  test('a page that was left although it could not be saved is still saved when there is room', async () => {
    const bedside = new Bedside()
    bedside.disk = 'full'
    bedside.type('weight', '62')
    await bedside.autosave.close()
    bedside.disk = 'works'
    await bedside.rest(1000)
    expect(bedside.stored.values).toMatchObject({ weight: 62 })
  })

  test('submitting sends what is on the screen, also when nothing has changed since the last save', async () => {
    const bedside = new Bedside()
    bedside.type('weight', '62')
    await bedside.rest()
    expect(await bedside.autosave.submit()).toMatchObject({ ok: true })
    expect(bedside.submits).toHaveLength(1)
    expect(bedside.submits[0]?.items).toEqual([])
  })
})

describe('a new page that begins with values', () => {
  const option = JSON.stringify({
    column: [
      { prop: 'position', label: '体位', type: 'input', value: '坐位' },
      { prop: 'minutes', label: '休息', type: 'number', value: 5 },
      { prop: 'why', label: '原因', type: 'input', value: '未说明', zl: { show: "page.position == '卧位'" } },
      { prop: 'weight', label: '体重', type: 'number', zl: { plausible: { max: 200 } } },
    ],
  })
  const answer = {
    table: null,
    rid: null,
    code: 'minutes',
    warning: 'plausible',
    says: 'x',
    value: 5,
    reason: '医嘱',
    at: '2026-11-21T01:00:00.000Z',
    by: 'me',
    byName: '我',
    receivedAt: null,
  }
  const journalled = (bedside: Bedside) => bedside.journal.map(({ code, from, to }) => [code, from.value, to.value])

  test('is saved with them where the first act answers a warning', async () => {
    const bedside = new Bedside({ option, isNew: true })
    bedside.autosave.confirm(answer)
    expect(journalled(bedside)).toEqual([
      ['position', null, '坐位'],
      ['minutes', null, 5],
    ])
    await bedside.autosave.flush()
    expect(bedside.saves[0]?.items.map(({ code, to, base }) => [code, base.value, to.value])).toEqual([
      ['position', null, '坐位'],
      ['minutes', null, 5],
    ])
    expect(bedside.stored.values).toEqual({ position: '坐位', minutes: 5 })
  })

  test('has them in the journal with the first key, before any save, and says each once', async () => {
    const bedside = new Bedside({ option, isNew: true })
    bedside.type('weight', '71')
    expect(journalled(bedside)).toEqual([
      ['position', null, '坐位'],
      ['minutes', null, 5],
      ['weight', null, 7],
      ['weight', 7, 71],
    ])
    await bedside.rest()
    // The operation holds what its save takes out of the journal.
    expect(bedside.saves[0]?.journal.map(({ code }) => code)).toEqual(['position', 'minutes', 'weight'])
    bedside.edit('weight', '72')
    expect(bedside.journal).toHaveLength(5)
  })

  test('tells what was there before the first key in such a field, so that what is recovered builds on nothing and not on a value that nobody saved', () => {
    const bedside = new Bedside({ option, isNew: true })
    bedside.edit('minutes', '')
    bedside.edit('position', '卧位')
    expect(journalled(bedside)).toEqual([
      ['position', null, '坐位'],
      ['minutes', null, 5],
      ['minutes', 5, null],
      ['why', null, '未说明'],
      ['position', '坐位', '卧位'],
    ])
  })

  test('says nothing of what a colleague has entered in their place meanwhile', () => {
    const bedside = new Bedside({ option, isNew: true })
    bedside.autosave.offer({ values: { minutes: 9 }, missing: {} }, 1)
    bedside.edit('minutes', '10')
    expect(journalled(bedside)).toEqual([
      ['position', null, '坐位'],
      ['minutes', 9, 10],
    ])
  })

  test('has them in the journal too where it is submitted as it stands', async () => {
    const bedside = new Bedside({ option, isNew: true })
    bedside.disk = 'full'
    await bedside.autosave.submit()
    expect(journalled(bedside)).toEqual([
      ['position', null, '坐位'],
      ['minutes', null, 5],
    ])
  })
})

describe('a page that is opened again', () => {
  test('journals and saves under an opening of its own, so that a save of one takes nothing of the other out of the journal', async () => {
    const [first, second] = [new Bedside(), new Bedside()]
    for (const bedside of [first, second]) {
      bedside.type('weight', '71')
      await bedside.rest()
    }
    const openings = [first, second].map(({ saves }) => saves[0]?.opening)
    expect([first, second].map((bedside) => [...bedside.openings])).toEqual(openings.map((opening) => [opening]))
    expect(new Set(openings).size).toBe(2)
  })
})

describe('another page is saved meanwhile, and rules of this one read it', () => {
  const saidOf = ({ items }: EntrySave) => Object.fromEntries(items.map(({ code, to }) => [code, to.value]))

  test('a page that nobody has edited shows it, and is not saved', async () => {
    const bedside = new Bedside()
    bedside.lab(90)
    await bedside.rest()
    expect([bedside.form.getCell('half')?.value, bedside.saves, bedside.autosave.getStatus().state]).toEqual([
      45,
      [],
      'clean',
    ])
  })

  test('a save that was made ready before is made anew', async () => {
    const bedside = new Bedside()
    bedside.lab(80)
    bedside.type('note', '晨起')
    await bedside.rest(SAVE_DEBOUNCE_MS - 100)
    expect(bedside.prepared.map(saidOf)).toEqual([{ note: '晨起', half: 40 }])
    bedside.lab(90)
    await bedside.rest()
    expect(bedside.saves.map(saidOf)).toEqual([{ note: '晨起', half: 45 }])
  })

  test('while a save is under way: the screen shows it, what was typed is saved, and there is nothing more to save', async () => {
    const bedside = new Bedside()
    bedside.lab(80)
    bedside.disk = 'slow'
    bedside.type('note', '晨起')
    await bedside.rest()
    bedside.lab(90)
    await bedside.diskCatchesUp()
    await bedside.rest(10 * SAVE_DEBOUNCE_MS)
    expect([bedside.form.getCell('half')?.value, bedside.form.getCell('note')?.value]).toEqual([45, '晨起'])
    expect([bedside.saves.length, bedside.autosave.getStatus().state]).toEqual([1, 'saved'])
  })
})

describe('an answer to a warning', () => {
  const answer = {
    table: null,
    rid: null,
    code: 'weight',
    warning: 'plausible',
    says: 'x',
    value: 300,
    reason: '复测',
    at: '2026-11-21T01:00:00.000Z',
    by: 'me',
    byName: '我',
    receivedAt: null,
  }
  const { by: _by, byName: _name, receivedAt: _at, ...given } = answer

  test('is a save of its own, and goes with the values that are not saved yet', async () => {
    const bedside = new Bedside()
    bedside.autosave.confirm(answer)
    await bedside.autosave.flush()
    expect(bedside.saves).toMatchObject([{ items: [], confirms: [given] }])
    bedside.type('weight', '300')
    bedside.autosave.confirm({ ...answer, reason: '再测' })
    await bedside.autosave.flush()
    expect(bedside.saves.at(-1)).toMatchObject({
      items: [{ code: 'weight' }, { code: 'double' }],
      confirms: [{ ...given, reason: '再测' }],
    })
  })

  test('is in the journal at once, before any save, with the opening of the page in which it was given', () => {
    const bedside = new Bedside()
    bedside.type('weight', '300')
    bedside.autosave.confirm(answer)
    expect([bedside.answers, bedside.saves, bedside.openings.size]).toEqual([[given], [], 1])
  })

  test('that could not be written is tried again with the values', async () => {
    const bedside = new Bedside()
    bedside.disk = 'full'
    bedside.autosave.confirm(answer)
    expect(await bedside.autosave.flush()).toBe(false)
    bedside.disk = 'works'
    expect(await bedside.autosave.flush()).toBe(true)
    expect(bedside.saves.at(-1)).toMatchObject({ confirms: [given] })
  })
})
