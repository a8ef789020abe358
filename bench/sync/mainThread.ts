import type { Page } from '@playwright/test'

/** A task of the page's main thread, ms: how long it lasted, and how much of that was processor time. */
export interface MainTask {
  readonly lasted: number
  readonly worked: number
}

interface TraceEvent {
  readonly name: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  /** In microseconds: wall time, and the thread's own processor time. */
  readonly dur?: number
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

/**
 * Runs `work` and returns the tasks of the page's main thread in that time, from the browser's own trace. On a busy
 * machine a task lasts longer than it works: only the processor time says something about the app.
 */
export async function tasksDuring(page: Page, work: () => Promise<void>): Promise<readonly MainTask[]> {
  const session = await page.context().newCDPSession(page)
  const events: TraceEvent[] = []
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])))
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['toplevel'] },
  })
  await work()
  const complete = new Promise<void>((resolve) => session.once('Tracing.tracingComplete', () => resolve()))
  await session.send('Tracing.end')
  await complete
  await session.detach()
  return busiest(events)
}

/** The tasks of the busiest main thread: the page's own. Other tabs and workers have threads of their own. */
function busiest(events: readonly TraceEvent[]): readonly MainTask[] {
  const thread = ({ pid, tid }: TraceEvent): string => `${pid}:${tid}`
  const mains = new Set(
    events.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain').map(thread),
  )
  const tasks = events.filter(
    (event) => event.ph === 'X' && event.name === 'ThreadControllerImpl::RunTask' && mains.has(thread(event)),
  )
  const work = (list: readonly TraceEvent[]): number => list.reduce((sum, { tdur = 0 }) => sum + tdur, 0)
  const [most] = [...Map.groupBy(tasks, thread).values()].toSorted((a, b) => work(b) - work(a))
  return (most ?? []).map(({ dur = 0, tdur = 0 }) => ({ lasted: dur / 1000, worked: tdur / 1000 }))
}
