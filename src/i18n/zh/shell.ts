/** Top bar, navigation, update, leaving. */
export const shell = {
  openMenu: '打开菜单',
  closeMenu: '收起菜单',
  skip: '跳到正文',
  nav: {
    title: '导航',
    projects: '项目',
    patients: '受试者',
    tablet: '平板',
    device: '本机数据',
    attention: '需处理',
    admin: '项目管理',
    projectInfo: '项目信息',
    mem: '项目团队',
    site: '研究中心',
    crfHistory: '表单版本',
    startResearch: '开始研究',
  },
  project: { choose: '选择项目', search: '按名称查找', none: '没有匹配的项目' },
  center: '中心 {{count}}',
  user: { open: '用户菜单：{{name}}', offline: '离线解锁', lock: '锁定', logout: '退出登录' },
  logout: {
    title: '提示',
    question: '是否退出系统, 是否继续?',
    unsent: '本机还有 {{count}} 项未同步。它们会加密保留在本机，您或同事下次登录后继续同步。',
    submit: '退出',
  },
  banner: {
    stop: '当前项目已{{status}}，暂时无法操作!',
    close: '当前项目已{{status}}，数据已锁定。',
    start: '项目正在立项，仅管理员可以进入。',
  },
  signInAgain: {
    title: '登录已过期',
    text: '可以继续录入，内容会保存在本机。重新登录后自动同步。',
    submit: '重新登录',
  },
} as const
