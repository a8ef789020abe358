import { REPORT_WORDS } from '#core/report/words.ts'

const words = REPORT_WORDS.zh

/** Reports on how a study goes. */
export const report = {
  title: '报表',
  which: '报表',
  center: '中心',
  allCenters: '全部中心',
  from: '开始日期',
  to: '结束日期',
  badDay: '请输入日期，例如 2026-11-20',
  badOrder: '结束日期早于开始日期',
  print: '打印',
  download: '下载 CSV',
  file: '{{report}}-{{day}}.csv',
  at: '统计时间 {{time}}',
  total: '合计',
  line: { centers: '研究中心', people: '人员' },
  by: { centers: '按研究中心', people: '按人员' },
  empty: { title: '还没有可统计的内容', text: '有受试者和数据后，这里会显示统计结果。' },
  comma: '、',
  sources: '依据表单：{{forms}}',
  untold: {
    noForm: {
      title: '未识别出不良事件表单',
      text: '本研究的正式版中没有字段能识别为不良事件名称（如代码 AETERM，或标签“不良事件名称”），因此无法统计，并不表示没有不良事件。',
    },
    masked: {
      title: '没有可供您统计的不良事件',
      text: '不良事件名称属于可识别身份的信息，您没有查看权限，因此不统计。',
    },
  },
  kinds: {
    enrolment: { title: words.kinds.enrolment, about: '已入组的受试者与各中心的计划入组数。' },
    flow: {
      title: words.kinds.flow,
      about:
        '受试者从登记、入组到随访、完成或退出的人数。计划中的最后一次访视已进行为“已完成”，访视中登记了提前退出研究为“已退出”。',
    },
    visits: { title: words.kinds.visits, about: '计划访视是否按时间窗完成，哪些已超窗。' },
    completeness: { title: words.kinds.completeness, about: '已录入的表单页有多少已提交，还缺多少必填项。' },
    queries: { title: words.kinds.queries, about: '已发出的质疑，按当前状态和未答复时长统计。时长为中位数（天）。' },
    verification: {
      title: words.kinds.verification,
      about: '核查计划要求的字段中，已完成源数据核查和数据审核的有多少。',
    },
    doubleEntry: { title: words.kinds.doubleEntry, about: '已开始二录的受试者中，已合并的有多少。' },
    timeliness: {
      title: words.kinds.timeliness,
      about: '从访视到录入、提交和核查各用了多久（中位数，天）。访视后超过 7 天才录入的算迟录。',
    },
    activity: { title: words.kinds.activity, about: '每个人在所选时间内完成了多少工作。' },
    adverseEvents: {
      title: words.kinds.adverseEvents,
      about:
        '不良事件表单中填写了名称的每一页（行）为一件。可能有关及以上计为“相关”，没有结束日期计为“未结束”；发生率以已入组受试者为分母。',
    },
    risk: {
      title: words.kinds.risk,
      about:
        '用于基于风险的监查：各中心的风险指标与全部中心相比。超出 95% 漏斗图界限的标为“偏高”，超出 99.8% 的标为“明显偏高”。',
    },
  },
  measures: words.measures,
  shares: words.shares,
  standing: { warning: '偏高', alarm: '明显偏高' },
  chart: {
    title: '各中心比较',
    which: '指标',
    whole: '全部中心 {{whole}}',
    summary: '{{count}} 个中心的{{share}}，全部中心为 {{whole}}。',
    note: '由高到低；虚线为全部中心。',
    limits: '由高到低；虚线为全部中心，浅色区域为 95% 漏斗图界限：例数越少，界限越宽。',
    cases: '分母',
  },
  months: {
    title: '按月入组',
    sum: '累计入组',
    month: '月份',
    inMonth: '当月入组',
    enrolled: '累计入组 {{count}}',
    plan: '计划 {{count}}',
    summary: '累计入组 {{count}} 例。',
    summaryOfPlan: '累计入组 {{count}} 例，计划 {{plan}} 例。',
    note: '按入组日期统计，不含未编号的受试者。',
  },
  flow: {
    title: '受试者流程图',
    ofCenter: '受试者流程图 · {{center}}',
    summary:
      '登记 {{subjects}} 例，已入组 {{numbered}} 例，其中随访中 {{following}} 例、已完成 {{completed}} 例、已退出 {{withdrawn}} 例。',
    note: '点击方框可查看其中的受试者。退出原因按登记的原文统计。不按治疗组别列出。',
    step: '阶段',
    count: '例数',
    n: 'n = {{value}}',
    leftBefore: '其中入组前退出',
    otherReasons: '其他原因',
  },
  subjects: {
    count: '共 {{count}} 位受试者',
    none: '没有受试者',
    unnumbered: '未编号 {{mark}}',
    more: '显示更多',
  },
} as const
