/** The list of projects. */
export const projects = {
  title: '项目',
  view: { label: '显示方式', card: '卡片', table: '表格' },
  search: '按项目名称查找',
  columns: { name: '项目名称', status: '状态', mode: '模式', role: '我的角色' },
  mode: { areamultiple: '多中心', areasingle: '单中心' },
  double: '双份录入',
  role: {
    ADMIN: '管理员',
    PI: '主要研究者',
    PM: '项目经理',
    CRA: '监查员',
    CRC: '临床研究协调员（CRC）',
    DBD: '数据管理员',
  },
  open: '进入 {{name}}',
  empty: {
    title: '还没有可进入的项目',
    text: '请联系管理员把您加入项目团队。',
    admin: '先新建一个项目，再导入表单、添加研究中心和成员。',
  },
  noMatch: { title: '没有匹配的项目', text: '请更换名称，或清除查找条件。' },
  create: {
    open: '新建项目',
    title: '新建项目',
    name: '项目名称',
    mode: '中心模式',
    submit: '新建',
    required: '必填内容',
  },
  start: {
    title: '项目正在立项',
    text: '项目“{{name}}”正在立项。启动后，成员即可进入并录入数据。',
    now: '现在开始',
    cancel: '取消',
    manage: '先去设置',
  },
} as const
