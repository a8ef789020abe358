import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { Link, Route, Routes } from 'react-router-dom'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { defaultPermissions } from '#core/access/permissions.ts'
import { ok } from '#core/result.ts'
import { AheadContext } from '#src/app/ahead/aheadContext.ts'
import { AppFrame } from '#src/frame/layouts/AppFrame.tsx'
import { usePatients } from '#src/data/hooks/patients.ts'
import type { PatientList } from '#src/data/shapes/listTypes.ts'
import type { ScopeView } from '#src/data/shapes/scopeTypes.ts'
import { AtDesk } from '#tests/src/support/atDesk.tsx'
import type { Desk } from '#tests/src/support/atDesk.tsx'
import { projectRow } from '#tests/src/support/rows.ts'
import { show, speak } from '#tests/src/support/screen.tsx'

const project = projectRow({ role: 'CRC', permissions: [...defaultPermissions('CRC')] })
const VERSION = '0190a000-0000-7000-8000-00000000000e'
const PATIENTS = `/p/${project.id}/v/${VERSION}/patients`

const center: ScopeView = {
  scope: 'one',
  center: null,
  kept: true,
  withheld: false,
  opened: null,
  patients: 2,
  entries: 0,
  pulledAt: '2026-11-01T00:00:00Z',
}
const kept: ScopeView = {
  ...center,
  center: { id: '0190a000-0000-7000-8000-0000000000c1', centerName: '一院' } as ScopeView['center'],
}

/** Called with each drawing of the list. */
const drawn = vi.fn()

/** A list as it is drawn ahead: what it reads, and what is typed into it. */
function List() {
  const patients = usePatients(project.id)
  drawn()
  const text = patients.state === 'ready' ? `${patients.value.total} 名受试者` : '读取中'
  return (
    <section>
      <label>
        {text}
        <input />
      </label>
      <Link to="/device">回本机</Link>
    </section>
  )
}

beforeAll(() => speak('zh'))
beforeEach(() => {
  drawn.mockClear()
  vi.stubGlobal('requestIdleCallback', (work: () => void) => setTimeout(work, 0))
})

interface Ward {
  readonly total: number
  readonly enrol: () => void
  readonly reads: () => number
}

function atWard({
  ahead = [project.id],
  keeping = [kept],
  list = <List />,
  sync = {},
}: {
  readonly sync?: Desk['sync']
  readonly ahead?: readonly string[] | null
  readonly keeping?: readonly ScopeView[]
  readonly list?: ReactNode
} = {}): Ward {
  let total = 2
  let reads = 0
  const watchers = new Set<() => void>()
  const desk: Desk & { readonly watch: (tables: readonly string[], changed: () => void) => () => void } = {
    ...(sync === undefined ? {} : { sync }),
    project: () => Promise.resolve(ok(project)),
    keeping: () => Promise.resolve(ok(keeping)),
    version: () => Promise.resolve(ok({ id: VERSION, folders: [] } as never)),
    patients: () => {
      reads += 1
      return Promise.resolve(ok({ patients: [], total } as PatientList))
    },
    watch: (_tables, changed) => {
      watchers.add(changed)
      return () => void watchers.delete(changed)
    },
  }
  const routes = (
    <Route path="/p/:id">
      <Route path="v/:crfId/patients" element={list} />
      <Route path="v/:crfId/workspace" element={<p>工作台</p>} />
    </Route>
  )
  show(
    <AtDesk desk={desk}>
      <AheadContext value={ahead}>
        <Routes>
          <Route element={<AppFrame projectRoutes={routes} />}>
            <Route
              path="/device"
              element={
                <p>
                  本机 <Link to={PATIENTS}>去名单</Link> <Link to={`${PATIENTS}?sex=F`}>去女性名单</Link>
                </p>
              }
            />
            {routes}
          </Route>
        </Routes>
      </AheadContext>
    </AtDesk>,
    '/device',
  )
  return {
    get total() {
      return total
    },
    enrol: () => {
      total += 1
      for (const changed of watchers) changed()
    },
    reads: () => reads,
  }
}

/** Text that is there, whether it is seen or not. */
const hidden = (text: string) => screen.findByText(text, { ignore: false })

const sectionOf = (text: HTMLElement) => text.closest('section') as HTMLElement

const typed = async () => ((await screen.findByLabelText('2 名受试者')) as HTMLInputElement).value

describe('the lists of a kept project', () => {
  test('are drawn out of sight while nobody waits; a tap shows what is there, without reading it again', async () => {
    const ward = atWard()
    const list = sectionOf(await hidden('2 名受试者'))
    expect(list.style.display).toBe('none')
    await userEvent.click(screen.getByText('去名单'))
    await waitFor(() => expect(list.style.display).toBe(''))
    expect(sectionOf(screen.getByText('2 名受试者'))).toBe(list)
    expect(screen.queryByText('去名单')).toBeNull()
    expect(ward.reads()).toBe(1)
  })

  test('hold what came meanwhile when they are shown', async () => {
    const ward = atWard()
    await hidden('2 名受试者')
    act(() => ward.enrol())
    await hidden('3 名受试者')
    await userEvent.click(screen.getByText('去名单'))
    expect(await screen.findByText('3 名受试者')).toBeTruthy()
    // From here on the list follows by itself.
    act(() => ward.enrol())
    expect(await screen.findByText('4 名受试者')).toBeTruthy()
  })

  test('keep what is typed into them while they are looked at, and begin anew for whoever comes back', async () => {
    atWard()
    await hidden('2 名受试者')
    await userEvent.click(screen.getByText('去名单'))
    await userEvent.type(await screen.findByLabelText('2 名受试者'), '0042')
    expect(await typed()).toBe('0042')
    await userEvent.click(screen.getByText('回本机'))
    await userEvent.click(await screen.findByText('去名单'))
    expect(await typed()).toBe('')
  })

  test('are not used by who comes with a filter of their own', async () => {
    atWard()
    const list = sectionOf(await hidden('2 名受试者'))
    await userEvent.click(screen.getByText('去女性名单'))
    await waitFor(() => expect(screen.getAllByText('2 名受试者', { ignore: false })).toHaveLength(2))
    expect(list.style.display).toBe('none')
  })

  test.each([
    ['of which a center is not kept', { keeping: [kept, { ...kept, scope: 'two', kept: false }] }],
    ['whose first download is not over', { keeping: [{ ...kept, pulledAt: null }] }],
    ['before the screens of the ward are loaded', { ahead: null }],
    ['while a day’s work is being sent', { sync: { syncing: true, unsent: 400 } }],
  ] as const)('are not drawn ahead for a project %s', async (_of, given) => {
    const ward = atWard(given)
    await screen.findByText('去名单')
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect([ward.reads(), drawn.mock.calls.length]).toEqual([0, 0])
  })

  test('that cannot be drawn take nothing with them, until somebody goes there', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const Broken = () => {
      drawn()
      throw new Error('broken')
    }
    atWard({ list: <Broken /> })
    await waitFor(() => expect(drawn).toHaveBeenCalled())
    // Nor are they tried again and again.
    await new Promise((resolve) => setTimeout(resolve, 100))
    const tried = drawn.mock.calls.length
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(drawn).toHaveBeenCalledTimes(tried)
    expect(screen.getByText('去名单')).toBeTruthy()
  })
})
