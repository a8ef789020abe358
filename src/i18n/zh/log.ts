/** This device's own error log. */
export const log = {
  badge: '本地错误日志，{{count}} 条',
  title: '本地错误日志',
  intro: '只记录程序出错的位置，不含录入内容、密码和地址参数。最多保留 {{most}} 条，最早的先清除。',
  columns: { type: '类型', url: '地址', message: '内容', stack: '堆栈', time: '时间' },
  type: {
    error: '脚本错误',
    unhandledrejection: '未处理的错误',
    screen: '页面出错',
    api: '调用失败',
    sync: '同步失败',
  },
  stack: { show: '查看', none: '无' },
  empty: { title: '没有错误日志', text: '程序出错时会记录在这里，可发送给管理员。' },
  upload: {
    open: '上传到服务器',
    title: '提示',
    question: '确定上传本地日志到服务器?',
    submit: '上传',
    done: '发送成功!',
  },
  clear: { open: '清空本地日志', title: '提示', question: '确定清空本地日志记录?', submit: '清空', done: '清空成功!' },
  offline: '当前离线，不能上传。日志保留在本机，联网后再上传。',
} as const
