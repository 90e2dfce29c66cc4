import type { ConversationKind } from '../../labels/verdict-record.ts';

/** The name of Slack in everything that is stored. */
export const SLACK = 'slack';

/** Where Slack posts events, clicks and commands to, over HTTP. */
export const EVENTS_PATH = '/slack/events';

/** A conversation's kind by its id, whose first letter says it. */
export const kindOf = (conversation: string): ConversationKind =>
  conversation.startsWith('D') ? 'direct' : 'channel';

/** What Slack calls back with: set where something is rendered, read where it is handled. */
export const callbacks = {
  messageShortcut: 'ask_the_jury',
  globalShortcut: 'ask_the_jury_about',
  judgeForm: 'judge_form',
  correctionForm: 'correction_form',
  settingsForm: 'settings_form',
  setForm: 'set_form',
  scheduleForm: 'schedule_form',
  detailsView: 'details_view',
  studyForm: 'study_form',
} as const;

export const actions = {
  /** Thumbs of cards posted by version 0.1; the value is `agree <verdictId>` or `disagree <verdictId>`. */
  feedback: 'vote_feedback',
  /** Buttons; the same values, and `unsure`, `retract`. */
  agree: 'vote_agree',
  disagree: 'vote_disagree',
  unsure: 'vote_unsure',
  retract: 'vote_retract',
  /** Answers of a person who has not seen the verdict; values: `right <verdictId>`, `wrong …`, `unsure …`. */
  blindRight: 'blind_right',
  blindWrong: 'blind_wrong',
  blindUnsure: 'blind_unsure',
  /** A menu of scores; the value of each is `<score> <verdictId>`. */
  blindScore: 'blind_score',
  /** Which of two answers is better, on a card or before the verdict is shown; values as for `blindScore`. */
  preferFirst: 'prefer_first',
  preferSecond: 'prefer_second',
  preferSame: 'prefer_same',
  /** What a person adds to a blind answer after they have seen the verdict; value: the verdict's id. */
  sayMore: 'blind_say_more',
  details: 'verdict_details',
  /** Next and previous page; one row of buttons needs two ids. */
  detailsPage: 'verdict_details_page',
  detailsBack: 'verdict_details_back',
  again: 'verdict_again',
  /** Opens the form with the case, to add what was missing; value: the verdict's id. */
  fillIn: 'verdict_fill_in',
  /** Judges the same case by a model; value: the verdict's id. */
  askModel: 'verdict_ask_model',
  /** Judges the case with what was left out of it; value: the verdict's id. */
  withIt: 'verdict_with_it',
  /** What lines that may belong to an answer are; value: the id of the question's draft. */
  unsureRemark: 'unsure_remark',
  unsureAnswer: 'unsure_answer',
  /** A card's menu; the values of its options are `<action> <verdictId>`. */
  cardMenu: 'card_menu',
  /** Lists all cases of a check; value: `<number of cases> <checkId>`. */
  showCases: 'check_cases',
  /** Value: the check's id. */
  stop: 'check_stop',
  /** Judges a request as it reads since it was edited; value: the id of its check. */
  judgeEdited: 'judge_edited',
  /** Judge messages of a thread as one conversation; value: which of the question's choices, and its draft. One row needs several ids. */
  judgeThese: 'judge_these',
  judgeTheseSecond: 'judge_these_second',
  judgeTheseThird: 'judge_these_third',
  judgeExample: 'judge_example',
  /** Value: the alert's id. */
  pauseAlert: 'pause_alert',
  /** Opens the form prefilled with what was understood; value: the id of a draft kept in the store, `new` for none. */
  openForm: 'open_form',
  /** A menu of conversations on App Home; the chosen one is the payload's `selected_conversation`. */
  openSettings: 'open_settings',
  /** The rubric select of the form: which fields it asks for changes with it. */
  formRubric: 'form_rubric',
  /** A list of a form that is looked up as people type. */
  formSearch: 'form_search',
  /** Shows the advanced fields of a form. */
  formAdvanced: 'form_advanced',
  /** Opens the next case of a study; value: which study. */
  studyNext: 'study_next',
  /** The case before, to change what was said of it; value as for a page. */
  studyBack: 'study_back',
  /** The whole of a case that is too long for its form, and its pages; one row of buttons needs two ids. */
  studyCase: 'study_case',
  studyCasePage: 'study_case_page',
  studyCaseBack: 'study_case_back',
} as const;

export const command = '/jury';
