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
  strip: {
    enrolledOn: '{{day}} 入组',
    voided: '已作废',
    more: '更多操作',
    previous: '上一位受试者：{{patient}}（Shift + K）',
    next: '下一位受试者：{{patient}}（Shift + J）',
    first: '已是第一位受试者',
    last: '已是最后一位受试者',
    place: '第 {{place}} 位，共 {{total}} 位',
  },
  timeline: {
    title: '访视进程',
    today: '今天',
    todayIs: '今天 {{day}}',
    left: '还有 {{count}} 页未提交',
  },
  visits: {
    title: '访视与页面',
    apart: '计划外访视与日志',
    past: '已完成 {{count}} 次访视',
    share: '{{submitted}} / {{total}} 页',
    openAll: '全部展开',
    foldAll: '全部收起',
  },
  todo: {
    all: '显示全部 {{count}} 项',
    fewer: '只显示前 {{count}} 项',
    conflict: '冲突 {{count}}',
    missing: '缺项 {{count}}',
    process: '未提交 {{count}}',
    overdue: '逾期 {{count}}',
    notStarted: '未填写 {{count}}',
  },
} as const
