/** A patient's casebook: who it is, the visits in time, what waits. */
export const casebook = {
  /** Visits of a patient as dots, counted. */
  dots: {
    conflict: '有冲突 {{count}} 次',
    overdue: '逾期 {{count}} 次',
    missing: '有缺项 {{count}} 次',
    inProgress: '填写中 {{count}} 次',
    due: '待访 {{count}} 次',
    missed: '未到访 {{count}} 次',
    done: '已完成 {{count}} 次',
    planned: '未开始 {{count}} 次',
    off: '免做或取消 {{count}} 次',
  },
} as const
