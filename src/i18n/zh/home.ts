/** Where one begins. */
export const home = {
  title: '首页',
  refused: '项目无法打开',
  intro: '{{name}}，今天是{{today}}',
  projects: '我的项目',
  notices: '未读通知（{{count}}）',
  all: '全部项目（{{count}}）',
  waiting: '{{name}}：待办',
  kind: { missing: '必填未填', process: '未提交', attention: '冲突/待处理' },
  counting: '正在向服务器查询待办数量，可以先进入项目。',
  unknown: '该项目未下载到本机，联网后显示待办。',
  empty: {
    title: '还没有可进入的项目',
    text: '请联系管理员把您加入项目团队。',
    admin: '先新建一个项目，再导入表单、添加中心和成员。',
    create: '新建项目',
  },
  device: {
    title: '本机状态',
    oldest: '最早一项录入于 {{time}}',
    attention: '{{count}} 项待处理',
    open: '本机数据',
    toAttention: '去处理',
  },
} as const
