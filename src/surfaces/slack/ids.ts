import type { ConversationKind } from '../../labels/record/index.ts';

/** Slack's name in stored data. */
export const SLACK = 'slack';

/** The path of Slack's HTTP requests: events, clicks and commands. */
export const EVENTS_PATH = '/slack/events';

/** A conversation's kind, from the first letter of its id. */
export const kindOf = (conversation: string): ConversationKind =>
  conversation.startsWith('D') ? 'direct' : 'channel';

/** Callback ids of shortcuts and views: set when rendered, read when handled. */
export const callbacks = {
  messageShortcut: 'ask_the_jury',
  globalShortcut: 'ask_the_jury_about',
  judgeForm: 'judge_form',
  correctionForm: 'correction_form',
  settingsForm: 'settings_form',
  setForm: 'set_form',
  ruleForm: 'rule_form',
  knownAnswerForm: 'known_answer_form',
  startStudyForm: 'start_study_form',
  manageView: 'manage_view',
  scheduleForm: 'schedule_form',
  detailsView: 'details_view',
  studyForm: 'study_form',
} as const;

export const actions = {
  /** Thumbs of cards posted by version 0.1; the value is `agree <verdictId>` or `disagree <verdictId>`. */
  feedback: 'vote_feedback',
  /** Vote buttons; the same values, plus `unsure` and `retract`. */
  agree: 'vote_agree',
  disagree: 'vote_disagree',
  unsure: 'vote_unsure',
  retract: 'vote_retract',
  /** Answers from people who have not seen the verdict; values: `right <verdictId>`, `wrong …`, `unsure …`. */
  blindRight: 'blind_right',
  blindWrong: 'blind_wrong',
  blindUnsure: 'blind_unsure',
  /** A menu of scores; each option's value is `<score> <verdictId>`. */
  blindScore: 'blind_score',
  /** Which of two answers is better, on a card or before the verdict is shown; values as for `blindScore`. */
  preferFirst: 'prefer_first',
  preferSecond: 'prefer_second',
  preferSame: 'prefer_same',
  /** Adds to a blind answer once the verdict is shown; value: the verdict's id. */
  sayMore: 'blind_say_more',
  details: 'verdict_details',
  /** Next and previous page; ids must be unique within a row of buttons. */
  detailsPage: 'verdict_details_page',
  detailsBack: 'verdict_details_back',
  again: 'verdict_again',
  /** What admins can do with a verdict; value: the verdict's id. */
  manage: 'verdict_manage',
  manageRule: 'manage_rule',
  manageKnownAnswer: 'manage_known_answer',
  manageSet: 'manage_set',
  manageStudy: 'manage_study',
  /** Opens a new issue in the browser. */
  openIssue: 'open_issue',
  /** Opens the form with the case, to add what was missing; value: the verdict's id. */
  fillIn: 'verdict_fill_in',
  /** Judges the same case with a model; value: the verdict's id. */
  askModel: 'verdict_ask_model',
  /** Judges the case again, including what was left out; value: the verdict's id. */
  withIt: 'verdict_with_it',
  /** Whether doubtful lines are a remark or part of the answer; value: the id of the question's draft. */
  unsureRemark: 'unsure_remark',
  unsureAnswer: 'unsure_answer',
  /** Judges what a model read; value: the id of the draft that keeps it. */
  trustReading: 'trust_reading',
  /** A card's menu; the values of its options are `<action> <verdictId>`. */
  cardMenu: 'card_menu',
  /** Lists all cases of a check; value: `<number of cases> <checkId>`. */
  showCases: 'check_cases',
  /** Value: the check's id. */
  stop: 'check_stop',
  /** Takes up a request that failed once more; value: the check's id. */
  tryAgain: 'check_try_again',
  /** Judges an edited request as it now reads; value: the id of its check. */
  judgeEdited: 'judge_edited',
  /** Judge messages of a thread as one conversation; value: the choice and the question's draft. Ids must be unique within a row. */
  judgeThese: 'judge_these',
  judgeTheseSecond: 'judge_these_second',
  judgeTheseThird: 'judge_these_third',
  judgeExample: 'judge_example',
  /** Value: the alert's id. */
  pauseAlert: 'pause_alert',
  /** Opens the form, prefilled from a draft; value: the draft's id, or `new` without one. */
  openForm: 'open_form',
  /** A menu of conversations on App Home; the chosen one is the payload's `selected_conversation`. */
  openSettings: 'open_settings',
  /** The form's rubric select: the fields depend on it. */
  formRubric: 'form_rubric',
  /** A form's list with options looked up as people type. */
  formSearch: 'form_search',
  /** Shows a form's advanced fields. */
  formAdvanced: 'form_advanced',
  /** Opens the next case of a study; value: which study. */
  studyNext: 'study_next',
  /** Goes back to the previous case to change its answers; value as for a page. */
  studyBack: 'study_back',
  /** The full text of a case that is too long for its form, and its pages; ids must be unique within a row of buttons. */
  studyCase: 'study_case',
  studyCasePage: 'study_case_page',
  studyCaseBack: 'study_case_back',
  /** About answers to check; the values are the desk's. */
  reviewStart: 'review_start',
  reviewRight: 'review_right',
  reviewWrong: 'review_wrong',
  reviewUnsure: 'review_unsure',
  reviewSkip: 'review_skip',
  reviewNever: 'review_never',
  /** The whole case, and its pages; ids must be unique within a row of buttons. */
  reviewCase: 'review_case',
  reviewCasePage: 'review_case_page',
  reviewCaseBack: 'review_case_back',
} as const;

export const command = '/jury';
