/** Theme, colour, installing the app: before the sign-in and behind it. */
export const look = {
  intro: '只影响本设备的显示，立即生效。',
  theme: {
    label: '主题',
    hint: {
      'theme-starwrap': '浅色背景，适合明亮的诊室',
      'theme-bule': '导航深蓝，内容浅色',
      'theme-vip': '深色背景，适合夜间病房',
    },
  },
  color: {
    label: '颜色',
    hint: '用于品牌标记、焦点、按钮和链接。状态的颜色不变。',
    own: '自选颜色',
    names: {
      '#409EFF': '湛蓝',
      '#3F6FD8': '靛青',
      '#13A8A8': '青碧',
      '#3BA55D': '竹绿',
      '#E6A23C': '琥珀',
      '#D9534F': '丹红',
      '#A65BC7': '藤紫',
      '#5F6B7A': '石墨',
    },
    sample: '效果',
    sampleButton: '保存',
    sampleLink: '查看详情',
    contrast: '按钮文字对比度 {{ratio}}:1',
  },
  reset: '恢复默认',
  done: '完成',
  install: {
    title: '安装到桌面',
    why: '安装后，本机数据保存得更可靠，并且全屏显示，打开更快。',
    submit: '安装到桌面',
    later: '以后再说',
    steps: {
      title: '在 iPad 上安装',
      share: '点 Safari 工具栏里的“分享”按钮',
      add: '选择“添加到主屏幕”',
      open: '点“添加”，以后从主屏幕的图标打开',
    },
    kept: '尚未到达服务器的录入请先同步；安装后首次打开需要重新登录。',
    manual: '打开浏览器菜单，选择“安装应用”或“添加到主屏幕”。',
  },
} as const
