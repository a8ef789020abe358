/** Project status (specification §4): start 立项 → process 进行中 ⇄ stop 暂停 → close 结束. */
export const projectStatuses = ['start', 'process', 'stop', 'close'] as const
export type ProjectStatus = (typeof projectStatuses)[number]

const transitions: Readonly<Record<ProjectStatus, readonly ProjectStatus[]>> = {
  start: ['process'],
  process: ['stop', 'close'],
  stop: ['process', 'close'],
  // Closing is the end: the project's data are locked, and no screen can undo it.
  close: [],
}

/** Whether a project may go from one status to another. */
export function mayChangeStatus(from: ProjectStatus, to: ProjectStatus): boolean {
  return transitions[from].includes(to)
}

/** The texts of the status (`projectStatusDesc`), as banners and selectors show them. */
export const projectStatusNames: Readonly<Record<'zh' | 'en', Readonly<Record<ProjectStatus, string>>>> = {
  zh: { start: '立项', process: '进行中', stop: '暂停', close: '结束' },
  en: { start: 'setting up', process: 'in progress', stop: 'paused', close: 'ended' },
}
