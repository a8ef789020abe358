import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { UatEntry, UatInput, UatSaved } from '#core/api/calls/uat.ts'
import type { ApiError } from '#core/api/errors.ts'
import { err, ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import { UatEditor, pageKey } from '#src/screens/uat/uatEditor.ts'

/**
 * A test subject that is being filled in: what the network takes, what it does not, and what was saved elsewhere
 * meanwhile.
 */

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const VITALS = { folderId: 'v1', folderRepeat: '0', pageId: 'vs', pageRepeat: '0' }
const EVENT = { ...VITALS, pageId: 'ae' }
const data = (weight: number) => ({ values: { weight }, missing: {} })
const AT = '2026-05-06T08:00:00.000Z'

/** A server with one test subject, and a device. */
class Desk {
  readonly sent: UatInput[] = []
  kept: readonly unknown[] = []
  entries: UatEntry[] = []
  fails: ApiError | null = null
  /** The write has its effect, and its answer is lost. */
  losesAnswer = false
  readonly error: Record<string, string> = {}

  readonly port = {
    read: async () => (this.fails === null ? ok(this.entries) : err(this.fails)),
    save: async (body: UatInput) => this.#write(body, 'process'),
    submit: async (body: UatInput) => {
      const written = this.#write(body, Object.keys(this.error).length === 0 ? 'other' : 'process')
      return written.ok ? ok({ ...written.value, error: this.error }) : written
    },
    keep: async (pages: readonly unknown[]) => {
      this.kept = pages
      return true
    },
  }

  #write(body: UatInput, status: UatSaved['status']): Result<UatSaved, ApiError> {
    if (this.fails !== null) return err(this.fails)
    this.sent.push(body)
    const known = this.entries.find((entry) => pageKey(entry) === pageKey(body))
    if ((known?.rev ?? 0) !== body.rev) return err({ code: 'revision_changed' })
    const saved = { rev: body.rev + 1, status, savedAt: AT }
    this.entries = [...this.entries.filter((entry) => entry !== known), { ...body, ...saved }]
    return this.losesAnswer ? err({ code: 'timeout' }) : ok(saved)
  }
}

function open(desk: Desk, kept: ConstructorParameters<typeof UatEditor>[2] = []): UatEditor {
  return new UatEditor(1, desk.entries, kept, desk.port)
}

it('sends a page when the hand rests, each save building on the one before', async () => {
  const desk = new Desk()
  const editor = open(desk)
  editor.edited(VITALS, data(6))
  editor.edited(VITALS, data(61))
  expect(editor.view().status.is).toBe('waiting')
  await vi.advanceTimersByTimeAsync(600)
  editor.edited(VITALS, data(62))
  await vi.advanceTimersByTimeAsync(600)
  expect(desk.sent.map(({ rev, values }) => [rev, values['weight']])).toEqual([
    [0, 61],
    [1, 62],
  ])
  expect(editor.view().status.is).toBe('saved')
  expect(desk.kept).toEqual([])
})

it('keeps on the device what the network does not take, and sends it when it is back', async () => {
  const desk = new Desk()
  const editor = open(desk)
  desk.fails = { code: 'offline' }
  editor.edited(VITALS, data(61))
  editor.edited(EVENT, data(1))
  await vi.advanceTimersByTimeAsync(600)
  expect(editor.view().status.is).toBe('away')
  expect(desk.kept).toEqual([
    { ...VITALS, rev: 0, ...data(61) },
    { ...EVENT, rev: 0, ...data(1) },
  ])
  desk.fails = null
  await vi.advanceTimersByTimeAsync(5000)
  expect(editor.view().status.is).toBe('saved')
  expect(desk.entries).toHaveLength(2)
  expect(desk.kept).toEqual([])
})

it('goes on with what the device has of an earlier time', async () => {
  const desk = new Desk()
  desk.entries = [{ subject: 1, ...VITALS, ...data(60), rev: 3, status: 'other', savedAt: AT }]
  const editor = open(desk, [{ ...VITALS, rev: 3, ...data(61) }])
  expect(editor.view().pages.get(pageKey(VITALS))).toMatchObject({ data: data(61), isSaved: false })
  await vi.advanceTimersByTimeAsync(10)
  expect(desk.entries).toMatchObject([{ rev: 4, values: { weight: 61 } }])
})

it('does not take its own save, whose answer was lost, for somebody else’s', async () => {
  const desk = new Desk()
  const editor = open(desk)
  desk.losesAnswer = true
  editor.edited(VITALS, data(61))
  await vi.advanceTimersByTimeAsync(600)
  expect(editor.view().status.is).toBe('away')
  desk.losesAnswer = false
  await vi.advanceTimersByTimeAsync(5000)
  expect(editor.view().pages.get(pageKey(VITALS))).toMatchObject({ isSaved: true, theirs: null, saved: { rev: 1 } })
})

it('lets the tester decide where a page was changed in another window too', async () => {
  const desk = new Desk()
  const editor = open(desk)
  const elsewhere = (weight: number, rev: number) => {
    desk.entries = [{ subject: 1, ...VITALS, ...data(weight), rev, status: 'process', savedAt: AT }]
  }
  elsewhere(70, 5)
  editor.edited(VITALS, data(61))
  await vi.advanceTimersByTimeAsync(600)
  expect(editor.view().pages.get(pageKey(VITALS))).toMatchObject({
    data: data(61),
    theirs: { values: { weight: 70 } },
  })
  expect(await editor.submit(VITALS, data(61))).toMatchObject({ ok: false, error: { code: 'revision_changed' } })
  await editor.settle(VITALS, 'mine')
  expect(desk.entries).toMatchObject([{ rev: 6, values: { weight: 61 } }])
  elsewhere(80, 9)
  editor.edited(VITALS, data(62))
  await vi.advanceTimersByTimeAsync(600)
  await editor.settle(VITALS, 'theirs')
  expect(editor.view().pages.get(pageKey(VITALS))).toMatchObject({ data: data(80), isSaved: true, drawn: 1 })
  expect(desk.entries).toMatchObject([{ rev: 9 }])
})

it('submits what is on the screen after the saves that are under way, and is then at rest', async () => {
  const desk = new Desk()
  const editor = open(desk)
  editor.edited(VITALS, data(60))
  const flushing = editor.flush()
  const submitted = editor.submit(VITALS, data(61))
  await flushing
  expect(await submitted).toEqual(ok({}))
  expect(desk.entries).toMatchObject([{ status: 'other', values: { weight: 61 } }])
  expect(editor.view().status.is).toBe('saved')
  desk.error['weight'] = '太重'
  expect(await editor.submit(VITALS, data(300))).toEqual(ok({ weight: '太重' }))
  expect(editor.view().pages.get(pageKey(VITALS))).toMatchObject({ isSaved: true, saved: { status: 'process' } })
})

it('says why the server will not have a page, and keeps it', async () => {
  const desk = new Desk()
  const editor = open(desk)
  desk.fails = { code: 'transition_refused' }
  editor.edited(VITALS, data(61))
  await vi.advanceTimersByTimeAsync(600)
  expect(editor.view().status).toEqual({ is: 'refused', error: { code: 'transition_refused' } })
  expect(desk.kept).toHaveLength(1)
})

it('asks a busy server again by itself, and says meanwhile that it is on this device', async () => {
  const desk = new Desk()
  const editor = open(desk)
  desk.fails = { code: 'busy' }
  editor.edited(VITALS, data(61))
  await vi.advanceTimersByTimeAsync(600)
  editor.edited(VITALS, data(62))
  expect(editor.view().status.is).toBe('away')
  desk.fails = null
  await vi.advanceTimersByTimeAsync(500)
  expect([editor.view().status.is, desk.entries[0]?.values]).toEqual(['saved', { weight: 62 }])
})

it('leaves what the server does not take on the device when the tester goes, for whoever opens it next', async () => {
  const desk = new Desk()
  const editor = open(desk)
  desk.fails = { code: 'unauthenticated' }
  editor.edited(VITALS, data(61))
  await editor.saver.close()
  desk.fails = null
  await vi.advanceTimersByTimeAsync(60_000)
  expect([desk.sent, desk.kept]).toEqual([[], [{ ...VITALS, rev: 0, ...data(61) }]])
  open(desk, [{ ...VITALS, rev: 0, ...data(61) }])
  await vi.advanceTimersByTimeAsync(10)
  expect(desk.entries).toMatchObject([{ rev: 1, values: { weight: 61 } }])
})
