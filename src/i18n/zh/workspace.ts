/** My work, and the matrix of patients and visits. */
export const workspace = {
  title: '我的工作',
  work: {
    title: '待办',
    due: '窗口期内',
    overdue: '逾期',
    missing: '缺必填',
    process: '未完成',
    attention: '冲突/需处理',
    unsent: '未同步',
    more: '再显示 {{count}} 项',
    beyond: '仅列出最近 {{shown}} 项，共 {{total}} 项。',
    empty: {
      due: '没有正在窗口期内的访视。',
      overdue: '没有逾期的访视。',
      missing: '没有缺必填项的页面。',
      process: '没有已保存而未提交的页面。',
      attention: '没有冲突，也没有需要处理的内容。',
      unsent: '本机内容已全部同步。',
    },
  },
  when: { overdue: '逾期', today: '今天', week: '7 天内', window: '窗口期内', left: '还有 {{count}} 天', late: '逾期 {{count}} 天' },
  matrix: {
    title: '访视矩阵',
    patient: '受试者',
    submittedOf: '已提交 {{done}}/{{total}} 页',
    legend: '图例',
    casebook: '打开全部访视',
    total: '共 {{count}} 位',
    empty: '入组后，每位受试者的访视进度显示在这里。',
    toPatients: '去受试者列表',
  },
} as const
