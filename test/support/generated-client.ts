// @ts-nocheck
/**
 * Jury
 * 1
 * DO NOT MODIFY - This file has been generated using oazapfts.
 * See https://www.npmjs.com/package/oazapfts
 */
import * as Oazapfts from "@oazapfts/runtime";
import * as QS from "@oazapfts/runtime/query";
export const defaults: Oazapfts.Defaults<Oazapfts.CustomHeaders> = {
    headers: {},
    baseUrl: "/api/v1"
};
const oazapfts = Oazapfts.runtime(defaults);
export const servers = {
    server1: "/api/v1"
};
export type PasteToJudge = {
    /** Id of a rubric. Default: chosen by what is in the case. */
    rubric?: string;
    /** Id of a method. Default: the one of the rubric. */
    method?: string;
    /** The models of the judges, each as `provider/model`, or `rules` for the exact checks. Default: the configured one. */
    models?: string[];
    /** Ids of the personas of the judges. Default: those of the rubric. */
    panel?: string[];
    /** What lines of a paste are that may or may not belong to the answer: `answer` judges with them, `remark` without them, `refuse` judges nothing. Default: they are left out where they make no difference; otherwise nothing is judged, and the error has both readings. */
    unsure?: "answer" | "remark" | "refuse";
    /** Whether to judge a paste without labels by what a model reads in it. Default: nothing is judged, and the error has what the model read. */
    trustReader?: boolean;
    /** A conversation as text: "User: …" and "System: …" on lines of their own. */
    paste: string;
};
export type Turn = {
    role: "user" | "system";
    text: string;
    /** The tools that the system called, in order. Empty: it called none. Absent: not known. */
    toolCalls?: {
        /** The name of the tool: `set_temperature`. */
        name: string;
        /** The arguments by name. Absent: none. */
        arguments?: {
            [key: string]: any;
        };
        /** What the tool answered. Absent: not known. */
        result?: any;
    }[];
};
export type Place = {
    /** WGS 84, in degrees. */
    latitude?: number;
    /** WGS 84, in degrees. */
    longitude?: number;
    /** A name or an address. */
    description?: string;
};
export type OpeningHours = {
    [key: string]: string;
};
export type Recommendation = {
    name?: string;
    location?: Place;
    cuisine?: string;
    /** Its dishes. */
    menu?: string[];
    /** A price level: `low`, `medium`, `high`. */
    cost?: string;
    /** As stated, usually stars out of 5. */
    rating?: number;
    /** By weekday: `12:00-14:30, 18:00-01:00`, `closed` or `00:00-24:00`. A weekday that is missing is unknown, not closed. */
    openingHours?: OpeningHours;
    /** The distance to it in km, as stated. */
    distanceKm?: number;
    /** The drive to it in minutes, as stated. */
    durationMin?: number;
    /** Fuels on offer. */
    fuels?: string[];
    /** Price per liter. */
    pricePerLiter?: number;
    /** Brand. */
    brand?: string;
    /** Amenities. */
    amenities?: string[];
    /** Plug types. */
    plugs?: string[];
    /** Charging power. */
    powerKw?: number;
    /** Free charging points. */
    freePoints?: number;
    /** Price per kWh. */
    pricePerKwh?: number;
};
export type Context = {
    /** The day of the request, local to the user: `2026-03-02`. */
    date?: string;
    /** The time of the request on the 24-hour clock, local to the user: `20:35`. */
    time?: string;
    /** Where the user is. */
    location?: Place;
    /** State that the car reports. */
    reportedState?: string;
    /** Range left. */
    rangeKm?: number;
    /** Plug of the car. */
    carPlug?: string;
    /** Fuel that the car takes. */
    carFuel?: string;
};
export type Label = {
    decision?: "pass" | "fail";
    /** On the rubric's scale. */
    score?: number;
    /** What is wrong with a case that fails: a criterion's id, or one of the rubric's error types. */
    errorType?: string;
    /** The right result by criterion id: pass, fail, not-relevant, or a score on the criterion's scale. */
    criteria?: {
        [key: string]: ("pass" | "fail" | "not-relevant") | number;
    };
    /** What several people said, where the rest of the label is what they agree on. */
    answers?: {
        /** A number in place of a name; null if it is not known who. */
        by: number | null;
        said: ("pass" | "fail" | "not-relevant" | "unsure") | number;
        /** Absent: about the whole case. */
        criterion?: string;
    }[];
};
export type CaseToJudge = {
    /** Names the case in verdicts and reports. Judges never see it. */
    id?: string;
    /** Id of the rubric to judge it by. Default: the one that fits the fields of the case. */
    rubric?: string;
    /** The turns before the response, oldest first. */
    conversation: Turn[];
    /** The answer to judge. */
    response: string;
    /** What the user says after the response. Only rubrics that judge the whole interaction read it. */
    closing?: string;
    /** A second answer to the same request. Judges then say which of the two is better. */
    alternative?: {
        /** The answer to judge. */
        response: string;
        /** The one place that the system recommends. */
        recommendation?: Recommendation;
        /** How long it took, in milliseconds. */
        latencyMs?: number;
        /** The tools that the system called, in order. Empty: it called none. Absent: not known. */
        toolCalls?: {
            /** The name of the tool: `set_temperature`. */
            name: string;
            /** The arguments by name. Absent: none. */
            arguments?: object;
            /** What the tool answered. Absent: not known. */
            result?: any;
        }[];
        action?: {
            /** Device. */
            device?: string[];
            /** Operation. */
            operation?: string[];
            /** Target. */
            target?: string[];
            /** Value. */
            value?: number;
            /** Result. */
            result?: string;
            /** What else changed. */
            alsoChanged?: string[];
            /** State afterwards. */
            state?: string;
        };
    };
    /** What people call the two answers, such as Old and New. Default: A and B. Judges never see it. */
    answerNames?: string[];
    /** The user's situation. */
    context?: Context;
    /** The one place that the system recommends. */
    recommendation?: Recommendation;
    /** The tools that the system called, in order. Empty: it called none. Absent: not known. */
    toolCalls?: {
        /** The name of the tool: `set_temperature`. */
        name: string;
        /** The arguments by name. Absent: none. */
        arguments?: object;
        /** What the tool answered. Absent: not known. */
        result?: any;
    }[];
    /** Sources that the answer must agree with, in retrieval order. */
    documents?: {
        id?: string;
        text: string;
    }[];
    /** Items that the system recommends: one list for each of its turns. */
    recommendations?: string[][];
    /** The item that the user wanted, or the expected answer. */
    groundTruth?: string;
    /** The calls that are right. Only judged criteria that name it are shown it; a system under test never is. */
    expectedCalls?: {
        /** The right ways. Each is a list of calls; an empty list calls nothing. */
        anyOf: {
            /** The name of the tool. */
            name: string;
            /** The arguments that it must have. Absent: it may have any arguments. */
            arguments?: object;
            /** How far off a number may be, by the path of the argument: `{"value": 0.5}`. Default: not at all. */
            tolerance?: {
                [key: string]: number;
            };
            /** Whether the way is right without this call too. Default: no. */
            optional?: boolean;
            /** Whether arguments that are not named here may have any value. Default: no. */
            moreArguments?: boolean;
        }[][];
        /** Whether the order of the calls matters. Default: no. */
        ordered?: boolean;
    };
    /** What the tools control, before the first call of the conversation. Shown like `expectedCalls`. */
    initialState?: object;
    /** What the tools control, after the last call, if all is right. Shown like `expectedCalls`. */
    expectedState?: object;
    /** An earlier conversation with the user. */
    history?: Turn[];
    /** How long the answer took, in milliseconds. */
    latencyMs?: number;
    /** The language of the conversation, such as `en`. */
    language?: string;
    /** What the case belongs to, such as `{"system": "BARCOR"}`, for reports. Cases with the same `group` belong together, which widens intervals. Judges never see them. */
    tags?: {
        [key: string]: string;
    };
    /** The id of the trace that the case was made of. Judges never see it. */
    trace?: string;
    /** What is right, to measure judges by. Judges never see it. */
    label?: Label;
    action?: {
        /** Device. */
        device?: string[];
        /** Operation. */
        operation?: string[];
        /** Target. */
        target?: string[];
        /** Value. */
        value?: number;
        /** Result. */
        result?: string;
        /** What else changed. */
        alsoChanged?: string[];
        /** State afterwards. */
        state?: string;
    };
    /** Id of a method. Default: the one of the rubric. */
    method?: string;
    /** The models of the judges, each as `provider/model`, or `rules` for the exact checks. Default: the configured one. */
    models?: string[];
    /** Ids of the personas of the judges. Default: those of the rubric. */
    panel?: string[];
    /** What lines of a paste are that may or may not belong to the answer: `answer` judges with them, `remark` without them, `refuse` judges nothing. Default: they are left out where they make no difference; otherwise nothing is judged, and the error has both readings. */
    unsure?: "answer" | "remark" | "refuse";
    /** Whether to judge a paste without labels by what a model reads in it. Default: nothing is judged, and the error has what the model read. */
    trustReader?: boolean;
};
export type Decision = "pass" | "fail" | "scored" | "undecided";
export type Preference = {
    /** A is the first answer of the case, B the second; null without a decision. */
    better: ("A" | "B" | "same") | null;
    /** What people call A and B. */
    names: string[];
    /** How many judges prefer each in both orders. `changed`: those among `same` whose answer changed with the order. */
    judges: {
        A: number;
        B: number;
        same: number;
        changed: number;
    };
    /** One reason for each answer, as the rest of a sentence about it; empty if no judge gave one. */
    reasons: {
        A: string;
        B: string;
    };
};
export type Fallback = "budget" | "refused" | "unreachable";
export type CriterionVerdict = {
    id: string;
    title: string;
    /** The rubric's group of criteria, if any. */
    dimension?: string;
    /** The bounds of the score; absent for pass or fail. */
    scale?: {
        min: number;
        max: number;
    };
    /** `undecided`: a tie, or too few answers. `not-judged`: the case lacks a field that it needs. `not-relevant`: most judges found that it does not apply. */
    decision: "pass" | "fail" | "scored" | "undecided" | "not-judged" | "not-relevant";
    /** If a judge found it not relevant: what most of all judges decided about it, relevant or not. */
    ifRelevant?: "pass" | "fail" | "undecided";
    /** Null without one. */
    score: number | null;
    /** How judges answered. */
    tally: {
        pass: number;
        fail: number;
        /** Judges that gave a score. */
        scored: number;
        /** Judges without a usable answer. */
        unscored: number;
        /** Judges that found it not relevant; the quorum is more than half of the others. */
        notRelevant: number;
    };
    /** A reason of the winning side; null if there is none. */
    rationale: string | null;
};
export type Judge = {
    /** The persona's id; null: a neutral judge. */
    persona: string | null;
    /** `provider/model`, or `rules` for the exact checks. */
    model: string;
    /** Numbers judges with the same persona and model, from 0. */
    sample: number;
};
export type Usage = {
    /** Null if an endpoint reported none. */
    promptTokens: number | null;
    /** Prompt tokens that the endpoint read from its own cache; they are part of `promptTokens`. */
    cachedTokens: number | null;
    /** Null if an endpoint reported none. */
    completionTokens: number | null;
    /** In US dollars; null if a price is unknown. */
    costUsd: number | null;
    /** Milliseconds from the first attempt to the accepted answer, waits included; of several questions asked at once, the slowest. */
    latencyMs: number;
    /** If several questions were asked at once: the sum of their milliseconds. */
    sequentialMs?: number;
    /** How long it took is not known, as of imported judgements; `latencyMs` is then 0. */
    untimed?: true;
    /** Requests sent, retries included. */
    attempts: number;
    /** Whether the answer was reused; it then cost nothing. */
    fromCache: boolean;
};
export type Finding = {
    /** The criterion's id. */
    id: string;
    /** `unscored`: the judge could not decide. `not-relevant`: it does not apply to this case, and does not count. */
    decision: "pass" | "fail" | "scored" | "unscored" | "not-relevant";
    /** What the judge decided even though the criterion is not relevant; this does not count. */
    ifRelevant?: "pass" | "fail" | "unscored";
    /** On the criterion's scale; of two compared answers, −1 for the first, 0 for the same, 1 for the second. */
    score: number | null;
    /** The reason; null if the method asks for none. */
    rationale: string | null;
    /** If two answers were compared: a reason for each. */
    sides?: {
        first: string;
        second: string;
    };
};
export type ScoredJudgement = {
    /** The round of the debate, from 0. */
    round: number;
    judge: Judge;
    usage: Usage;
    /** Hash of the prompt without the case; null if the judge was never asked. */
    promptHash: string | null;
    /** Number of questions, if the judge was asked more than one. */
    calls?: number;
    /** In benchmarks: the configuration that asked for this answer, if another one of the run did; `usage` is what it took there. */
    pooledFrom?: string;
    /** A warning, such as that the answer contradicts its own findings, or that something was not checked. */
    caveat?: string;
    status: "scored";
    decision: "pass" | "fail" | "scored";
    /** Of two compared answers: −1 for the first, 0 for the same, 1 for the second. Null for pass and fail. */
    score: number | null;
    /** How sure the judge is, from 0 to 1; null if the method does not ask. */
    confidence: number | null;
    /** The reason; null if the method asks for none. */
    rationale: string | null;
    /** In the rubric's order. */
    criteria: Finding[];
    /** If two answers were compared: a reason for each. */
    sides?: {
        first: string;
        second: string;
    };
    /** The judge preferred something else when the two answers came in the other order; this counts as a tie. */
    changedWithOrder?: true;
};
export type UnscoredReason = "malformed" | "refused" | "timeout" | "rate-limited" | "budget" | "unsupported" | "cancelled" | "error" | "not-relevant";
export type UnscoredJudgement = {
    /** The round of the debate, from 0. */
    round: number;
    judge: Judge;
    usage: Usage;
    /** Hash of the prompt without the case; null if the judge was never asked. */
    promptHash: string | null;
    /** Number of questions, if the judge was asked more than one. */
    calls?: number;
    /** In benchmarks: the configuration that asked for this answer, if another one of the run did; `usage` is what it took there. */
    pooledFrom?: string;
    /** A warning, such as that the answer contradicts its own findings, or that something was not checked. */
    caveat?: string;
    status: "unscored";
    /** Why there is no answer. `not-relevant`: no criterion applies to the case. */
    reason: UnscoredReason;
    /** The same in words. */
    message: string;
    /** What is wrong with the endpoint, if that is why. */
    trouble?: "unreachable" | "key" | "model" | "credit" | "overloaded";
    /** The endpoint did not work, whatever it was asked; it may work later. */
    unavailable?: true;
    /** Partial findings; they never count as an answer. */
    criteria: Finding[];
};
export type Judgement = ScoredJudgement | UnscoredJudgement;
export type TotalUsage = {
    /** Null if an endpoint reported none. */
    promptTokens: number | null;
    /** Prompt tokens that the endpoint read from its own cache; they are part of `promptTokens`. */
    cachedTokens: number | null;
    /** Null if an endpoint reported none. */
    completionTokens: number | null;
    /** In US dollars; null if a price is unknown. */
    costUsd: number | null;
};
export type Case = {
    /** Names the case in verdicts and reports. Judges never see it. */
    id?: string;
    /** Id of the rubric to judge it by. Default: the one that fits the fields of the case. */
    rubric?: string;
    /** The turns before the response, oldest first. */
    conversation: Turn[];
    /** The answer to judge. */
    response: string;
    /** What the user says after the response. Only rubrics that judge the whole interaction read it. */
    closing?: string;
    /** A second answer to the same request. Judges then say which of the two is better. */
    alternative?: {
        /** The answer to judge. */
        response: string;
        /** The one place that the system recommends. */
        recommendation?: Recommendation;
        /** How long it took, in milliseconds. */
        latencyMs?: number;
        /** The tools that the system called, in order. Empty: it called none. Absent: not known. */
        toolCalls?: {
            /** The name of the tool: `set_temperature`. */
            name: string;
            /** The arguments by name. Absent: none. */
            arguments?: {
                [key: string]: any;
            };
            /** What the tool answered. Absent: not known. */
            result?: any;
        }[];
        action?: {
            /** Device. */
            device?: string[];
            /** Operation. */
            operation?: string[];
            /** Target. */
            target?: string[];
            /** Value. */
            value?: number;
            /** Result. */
            result?: string;
            /** What else changed. */
            alsoChanged?: string[];
            /** State afterwards. */
            state?: string;
        };
    };
    /** What people call the two answers, such as Old and New. Default: A and B. Judges never see it. */
    answerNames?: string[];
    /** The user's situation. */
    context?: Context;
    /** The one place that the system recommends. */
    recommendation?: Recommendation;
    /** The tools that the system called, in order. Empty: it called none. Absent: not known. */
    toolCalls?: {
        /** The name of the tool: `set_temperature`. */
        name: string;
        /** The arguments by name. Absent: none. */
        arguments?: {
            [key: string]: any;
        };
        /** What the tool answered. Absent: not known. */
        result?: any;
    }[];
    /** Sources that the answer must agree with, in retrieval order. */
    documents?: {
        id?: string;
        text: string;
    }[];
    /** Items that the system recommends: one list for each of its turns. */
    recommendations?: string[][];
    /** The item that the user wanted, or the expected answer. */
    groundTruth?: string;
    /** The calls that are right. Only judged criteria that name it are shown it; a system under test never is. */
    expectedCalls?: {
        /** The right ways. Each is a list of calls; an empty list calls nothing. */
        anyOf: {
            /** The name of the tool. */
            name: string;
            /** The arguments that it must have. Absent: it may have any arguments. */
            arguments?: {
                [key: string]: any;
            };
            /** How far off a number may be, by the path of the argument: `{"value": 0.5}`. Default: not at all. */
            tolerance?: {
                [key: string]: number;
            };
            /** Whether the way is right without this call too. Default: no. */
            optional?: boolean;
            /** Whether arguments that are not named here may have any value. Default: no. */
            moreArguments?: boolean;
        }[][];
        /** Whether the order of the calls matters. Default: no. */
        ordered?: boolean;
    };
    /** What the tools control, before the first call of the conversation. Shown like `expectedCalls`. */
    initialState?: {
        [key: string]: any;
    };
    /** What the tools control, after the last call, if all is right. Shown like `expectedCalls`. */
    expectedState?: {
        [key: string]: any;
    };
    /** An earlier conversation with the user. */
    history?: Turn[];
    /** How long the answer took, in milliseconds. */
    latencyMs?: number;
    /** The language of the conversation, such as `en`. */
    language?: string;
    /** What the case belongs to, such as `{"system": "BARCOR"}`, for reports. Cases with the same `group` belong together, which widens intervals. Judges never see them. */
    tags?: {
        [key: string]: string;
    };
    /** The id of the trace that the case was made of. Judges never see it. */
    trace?: string;
    /** What is right, to measure judges by. Judges never see it. */
    label?: Label;
    action?: {
        /** Device. */
        device?: string[];
        /** Operation. */
        operation?: string[];
        /** Target. */
        target?: string[];
        /** Value. */
        value?: number;
        /** Result. */
        result?: string;
        /** What else changed. */
        alsoChanged?: string[];
        /** State afterwards. */
        state?: string;
    };
};
export type Verdict = {
    id: string;
    /** The case's id, or one made from its content. */
    caseId: string;
    /** Id of the rubric. */
    rubric: string;
    /** Id of the method. */
    method: string;
    /** `scored`: the rubric gives scores, or two answers were compared. `undecided`: a tie, or half of the panel or more gave no answer. */
    decision: Decision;
    /** Null for pass, fail and undecided. Of two answers: −1 for A, 0 for neither, 1 for B. */
    score: number | null;
    /** The bounds of the score; absent if there is none, or if criteria have different ones. */
    scale?: {
        min: number;
        max: number;
    };
    /** For a case with two answers: which is better. */
    preference?: Preference;
    /** Share of the weight behind the decision, 0 to 1; null unless the method weights by confidence. */
    confidence: number | null;
    /** Why exact checks judged in place of the models. Such a verdict passes only if every criterion was checked. */
    fallback?: Fallback;
    /** What is wrong with the endpoint of the models for which exact checks stand in. */
    trouble?: "unreachable" | "key" | "model" | "credit" | "overloaded";
    /** The outcome and its main reason in one line. */
    why: string;
    /** How judges answered in the deciding round. */
    tally: {
        pass: number;
        fail: number;
        /** Judges that gave a score. */
        scored: number;
        /** Judges without a usable answer. */
        unscored: number;
        /** Judges that found it not relevant; the quorum is more than half of the others. */
        notRelevant: number;
        /** Judges that were not asked, because the majority was decided or judging was stopped. */
        notAsked: number;
        /** All judges: the sum of the other counts. */
        panel: number;
    };
    /** The panel's finding on each criterion, in the rubric's order. */
    criteria: CriterionVerdict[];
    /** All judgements: round by round, in the order of the seats. */
    judgements: Judgement[];
    /** The raters' judgements, if the method rates criteria first. */
    ratings?: Judgement[];
    /** How many rounds there were. */
    rounds: number;
    /** The deciding round, from 0; null if no judge was asked. */
    decidedInRound: number | null;
    /** Number of questions to judges and the reader; criteria that were asked about one by one count separately. */
    calls: number;
    /** Of all judgements and the reader; for a fallback, including the models that came to no decision. */
    usage: TotalUsage;
    /** The settings in effect. */
    settings: {
        /** The seats in order; a neutral judge has no persona. */
        panel: {
            persona: string | null;
            model: string;
        }[];
        /** Null if not known, as of imported judgements. */
        temperature: number | null;
        seed: number | null;
        /** Maximum number of rounds. */
        rounds: number;
        /** How many worked examples judges were shown. */
        examples: number;
        /** Absent in older verdicts. */
        rubricVersion?: number;
        /** The personas' settings, defaults included: `{brand: 'Aurora'}`. Absent if there are none. */
        values?: {
            [key: string]: string;
        };
    };
    /** The model that read the paste, where plain reading could not: who speaks is its reading. */
    reader?: {
        model: string;
        usage: Usage;
        /** Hash of the prompt without the paste. */
        promptHash: string;
    };
    /** The benchmark run that judged it: of the same request and answer, by the same rubric, prompts and judges. */
    takenFrom?: {
        run: string;
    };
    /** Assumptions made when the case was read, in words. */
    assumed: string[];
    /** Lines of the paste that may belong to the answer, and that it was judged without. */
    leftOut?: string;
    /** How it was judged, in words: what was left out, why this rubric, a panel of one. */
    remarks: string[];
    /** Whether it was stopped early; the answers so far still count. */
    cancelled: boolean;
    /** ISO 8601, in UTC. */
    startedAt: string;
    /** Milliseconds from start to end. */
    durationMs: number;
    "case": Case;
    /** Your own daily limits that left judges unasked; only in the response to a request to judge. */
    limits?: string;
};
export type HiddenVerdict = {
    id: string;
    rubric: string;
    hidden: true;
    /** Your own daily limits that left judges unasked; only in the response to a request to judge. */
    limits?: string;
};
export type Problem = {
    code: "bad-request" | "unauthorized" | "forbidden" | "not-found" | "vote-first" | "stopped" | "too-large" | "unclear" | "unsure" | "refused" | "too-many-requests" | "budget" | "failed" | "store-unavailable";
    /** What to do. */
    message: string;
    /** Of `unclear` and `refused`: what the case lacks, as fields or as lines to add. */
    missing?: any[];
    /** Of `unsure`: the lines that may or may not belong to the answer. */
    unsure?: string;
    /** Of `unsure`: the case without these lines, and with them. */
    readings?: {
        remark: Case;
        answer: Case;
    };
    /** Of `unclear`: what a model read of a paste without labels. `trustReader` judges it. */
    read?: {
        "case": Case;
        assumed: string[];
        reader: {
            model: string;
            usage: Usage;
            /** Hash of the prompt without the paste. */
            promptHash: string;
        };
    };
    [key: string]: any;
};
export type ErrorResponse = {
    error: Problem;
};
export type VerdictPage = {
    verdicts: (Verdict | HiddenVerdict)[];
    /** Where the next page begins; null after the last one. */
    cursor: string | null;
};
export type OwnAnswer = {
    kind: "decision";
    decision: "pass" | "fail";
} | {
    kind: "score";
    score: number;
} | {
    kind: "unsure";
};
export type NewVote = {
    /** Whether the verdict is right; null takes the vote back. */
    value?: ("agree" | "disagree" | "unsure") | null;
    /** Of a verdict that is undecided or still hidden, what is right: pass or fail, or a score on the rubric's scale. Alone. */
    right?: ("pass" | "fail") | number;
    /** Your own answer to a verdict that is hidden until you give one. */
    answer?: OwnAnswer;
    /** Id of the criterion that the comment is about. */
    criterion?: string;
    comment?: string;
};
export type VoteTally = {
    agree: number;
    disagree: number;
    unsure: number;
    right?: {
        [key: string]: number;
    };
};
export type Vote = {
    /** Your vote; on an undecided verdict, what it says is right. */
    vote: (("agree" | "disagree" | "unsure") | ("pass" | "fail") | number) | null;
    /** All votes; null while the verdict is hidden. */
    tally: VoteTally | null;
};
export type ReportMeasure = {
    defined: true;
    n: number;
    value: number;
} | {
    defined: boolean;
    n: number;
    why: string;
};
export type ReportInterval = {
    defined: true;
    n: number;
    low: number;
    high: number;
    level: number;
    by: "wilson" | "paired" | "newcombe" | "ranks" | "jackknife" | "corrected";
} | {
    defined: boolean;
    n: number;
    why: string;
};
export type RunScore = {
    /** `pass-rate`, `mean-score`: of the answers. `f1`: how well the judges find the wrong answers. */
    kind: "f1" | "pass-rate" | "mean-score";
    /** Id of the configuration. */
    configuration: string;
    measure: ReportMeasure;
    interval: ReportInterval;
    /** The share of its trials, or of the assistant's answers, that got a decision or a score. */
    coverage: ReportMeasure;
};
export type RunSummary = {
    /** Its name. */
    id: string;
    /** What it belongs to over time. */
    series: string;
    /** Id of its benchmark; null if it belongs to no defined one. */
    benchmark: string | null;
    createdAt: string;
    /** What it measures: an assistant, or the judges themselves. */
    subject: "assistant" | "judges";
    /** Where its cases come from. */
    source: string;
    cases: number;
    /** How many ways of judging it compares. */
    configurations: number;
    /** Trials that are done: a trial is a case × configuration × repeat. */
    trials: number;
    /** Trials in all. */
    planned: number;
    /** Null while it is unknown. */
    score: RunScore | null;
};
export type Estimate = {
    measure: ReportMeasure;
    interval: ReportInterval;
};
export type AssistantChange = {
    run: string;
    at: number;
    builds: string[];
    baseline: string | null;
    requests: {
        shared: number;
        onlyNow: number;
        onlyThen: number;
        sameAnswer: number;
    };
    mix: {
        adjusted: string[];
        unadjusted: string[];
        leftOut: number;
    } | null;
    obstacles: string[];
    because?: ({
        kind: "noSameRequest" | "seats" | "prompts";
    } | {
        kind: "rubricIs" | "languages";
        now: string[];
        was: string[];
    } | {
        kind: "rubricChanged";
        named: string[];
    } | {
        kind: "methodChanged";
        method: string;
    } | {
        kind: "judges";
        now: {
            method: string;
            models: string[];
        };
        was: {
            method: string;
            models: string[];
        };
    } | {
        kind: "coverage";
        now: number;
        was: number;
    })[];
    difference: {
        value: number;
        n: number;
        interval: ReportInterval;
        trend: "better" | "worse" | "steady" | "unknown";
    } | null;
    corrected: {
        value: number;
        n: number;
        interval: ReportInterval;
        trend: "better" | "worse" | "steady" | "unknown";
    } | null;
    takenOver?: number;
    unchanged: {
        n: number;
        flipped: number;
    };
    failing: {
        title: string | null;
        n: number;
        reason: string | null;
        shared: {
            tag: string;
            value: string;
            n: number;
        } | null;
        answers: {
            caseId: string;
            request: string;
            answer: string;
            reason: string;
        }[];
    }[];
    passing: {
        title: string | null;
        n: number;
        reason: string | null;
        shared: {
            tag: string;
            value: string;
            n: number;
        } | null;
        answers: {
            caseId: string;
            request: string;
            answer: string;
            reason: string;
        }[];
    }[];
};
export type AssistantReport = {
    run: string;
    at: number;
    builds: string[];
    rubrics: string[];
    method: string;
    models: string[];
    answers: number;
    decided: number;
    rate: {
        kind: "pass" | "score";
        measure: ReportMeasure;
        interval: ReportInterval;
    };
    preference: {
        names: string[];
        A: number;
        B: number;
        same: number;
        changed: {
            n: number;
            "of": number;
        };
        share: Estimate;
        pValue: ReportMeasure;
    } | null;
    labels: {
        tp: number;
        fp: number;
        fn: number;
        tn: number;
    };
    independent: {
        passed: number;
        agreed: number;
        right: number;
        wrong: number;
    } | null;
    truth: {
        source: "labels";
        n: number;
        measure: ReportMeasure;
        interval: ReportInterval;
    } | {
        source: "sample";
        n: number;
        unchecked: number;
        unsure: number;
        unseen: {
            decision: "pass" | "fail";
            split: boolean | null;
            size: number;
        }[];
        measure: ReportMeasure;
        interval: ReportInterval;
    } | {
        source: "other-samples";
        n: number;
        unchecked: number;
        unsure: number;
        unseen: {
            decision: "pass" | "fail";
            split: boolean | null;
            size: number;
        }[];
        runs: number;
        measure: ReportMeasure;
        interval: ReportInterval;
    } | {
        source: null;
        why: string;
        because?: {
            kind: "scores" | "oneGroup";
        } | {
            kind: "fewLabels";
            needed: number;
            count: number;
        } | {
            kind: "needsChecks";
            needed: number;
            checked: number | null;
        } | {
            kind: "severalRubrics";
            rubrics: number;
            checked: number;
            runs: number;
        } | {
            kind: "noInterval";
            checked: number;
            runs: number;
            why: string;
        };
    };
    votes: {
        tp: number;
        fp: number;
        fn: number;
        tn: number;
    };
    flips: ReportMeasure | null;
    latency: {
        n: number;
        median: number;
        interval: ReportInterval;
        slowest: {
            caseId: string;
            request: string;
            ms: number;
        }[];
    } | null;
    changes: AssistantChange[];
    blockers: {
        groups: {
            title: string | null;
            n: number;
            reason: string | null;
            shared: {
                tag: string;
                value: string;
                n: number;
            } | null;
            answers: {
                caseId: string;
                request: string;
                answer: string;
                reason: string;
            }[];
            keys: string[];
        }[];
        others: {
            now: number;
            before: number;
        } | null;
    } | null;
    slices: {
        tag: string;
        values: {
            value: string | null;
            values: number;
            decided: number;
            rate: {
                measure: ReportMeasure;
                interval: ReportInterval;
            };
            difference: {
                value: number;
                n: number;
                interval: ReportInterval;
            } | null;
            isWorse: boolean;
        }[];
    } | null;
};
export type SetupReport = {
    id: string;
    run: string | null;
    method: string;
    models: string[];
    temperature: number | null;
    equalCallsOf: string | null;
    pooledFrom: string[];
    repeats: number;
    trials: number;
    planned: number;
    unlabeled: number;
    effectiveness: {
        counts: {
            tp: number;
            fp: number;
            fn: number;
            tn: number;
        };
        f1: Estimate;
        precision: Estimate;
        recall: Estimate;
        accuracy: Estimate;
        balancedAccuracy: Estimate;
        mcc: Estimate;
        n: number;
        cases: number;
        undecided: number;
        "no-quorum": number;
        unanswered: number;
        coverage: ReportMeasure;
        decided: {
            counts: {
                tp: number;
                fp: number;
                fn: number;
                tn: number;
            };
            f1: Estimate;
            precision: Estimate;
            recall: Estimate;
            accuracy: Estimate;
            balancedAccuracy: Estimate;
            mcc: Estimate;
        };
    };
    categories: {
        category: string;
        accuracy: Estimate;
        decided: Estimate;
        undecided: number;
        "no-quorum": number;
        unanswered: number;
    }[];
    efficiency: {
        calls: {
            missing: number;
            mean: ReportMeasure;
            median: ReportMeasure;
            p95: ReportMeasure;
            least: ReportMeasure;
            most: ReportMeasure;
        };
        savedCalls: number;
        pooledCalls: number;
        tokens: {
            missing: number;
            mean: ReportMeasure;
            median: ReportMeasure;
            p95: ReportMeasure;
            least: ReportMeasure;
            most: ReportMeasure;
        };
        outputTokens: {
            missing: number;
            mean: ReportMeasure;
            median: ReportMeasure;
            p95: ReportMeasure;
            least: ReportMeasure;
            most: ReportMeasure;
        };
        costUsd: {
            missing: number;
            mean: ReportMeasure;
            median: ReportMeasure;
            p95: ReportMeasure;
            least: ReportMeasure;
            most: ReportMeasure;
            noise: number;
        };
        latencyMs: {
            missing: number;
            mean: ReportMeasure;
            median: ReportMeasure;
            p95: ReportMeasure;
            least: ReportMeasure;
            most: ReportMeasure;
            noise: number;
        };
        sequentialMs: {
            missing: number;
            mean: ReportMeasure;
            median: ReportMeasure;
            p95: ReportMeasure;
            least: ReportMeasure;
            most: ReportMeasure;
        };
        secondsPerToken: ReportMeasure;
        totalCostUsd: number | null;
        fromCache: number;
    };
    agreement: {
        labels: Estimate;
        decided: Estimate;
        judges: Estimate | null;
    };
    flips: {
        anyFlip: ReportMeasure;
        pairwise: ReportMeasure;
        skipped: number;
    } | null;
    calibration: {
        missing: number;
        brier: ReportMeasure;
        ece: ReportMeasure;
        bins: {
            "from": number;
            to: number;
            n: number;
            accuracy: ReportMeasure;
            meanConfidence: ReportMeasure;
        }[];
    } | null;
    scores: {
        n: number;
        cases: number;
        mean: Estimate;
        deviation: ReportMeasure;
        against: {
            n: number;
            coverage: ReportMeasure;
            spearman: Estimate;
            kendall: ReportMeasure;
            pearson: ReportMeasure;
            alpha: Estimate;
            alphaScale: "ordinal" | "interval";
            meanAbsoluteError: Estimate;
        } | null;
    } | null;
    criteria: {
        id: string;
        accuracy: Estimate | null;
        decided: Estimate | null;
        kappa: Estimate | null;
        undecided: number;
        "no-quorum": number;
        unanswered: number;
        relevance: {
            relevant: number;
            notRelevant: number;
            accuracy: Estimate | null;
            kappa: Estimate | null;
            anyway: {
                accuracy: Estimate;
                kappa: Estimate;
            } | null;
        } | null;
        scores: {
            n: number;
            cases: number;
            mean: Estimate;
            deviation: ReportMeasure;
            against: {
                n: number;
                coverage: ReportMeasure;
                spearman: Estimate;
                kendall: ReportMeasure;
                pearson: ReportMeasure;
                alpha: Estimate;
                alphaScale: "ordinal" | "interval";
                meanAbsoluteError: Estimate;
            } | null;
        } | null;
    }[];
    decisions: {
        n: number;
        cases: number;
        pass: number;
        fail: number;
        undecided: number;
        "no-quorum": number;
        unanswered: number;
        passRate: Estimate;
        decided: Estimate;
        coverage: ReportMeasure;
    } | null;
};
export type Difference = {
    first: ReportMeasure;
    second: ReportMeasure;
    difference: ReportMeasure;
    interval: ReportInterval;
};
export type Report = {
    version: 1;
    run: {
        version: 1;
        name: string;
        series?: string;
        createdAt: string;
        settings: {
            methods: string[];
            models: string[];
            modelsOf?: {
                [key: string]: string[];
            };
            panels?: {
                name: string;
                models: string[];
            }[];
            temperatures: number[] | null;
            repeats: number;
            rubric: string | null;
            panel: string[] | null;
            seed: number | null;
            values: {
                [key: string]: string;
            };
            equalCalls: boolean;
            earlyStop?: boolean;
            stop?: "decided";
            cache: boolean;
        };
        configurations: {
            id: string;
            method: string;
            models: string[];
            panel?: string;
            temperature: number | null;
            repeat: number;
            equalCallsOf: string | null;
            pooledFrom?: string[];
        }[];
        dataset: {
            source: string;
            cases: number;
            labeled: number;
            hash: string;
            collected?: true;
        };
        rubrics: string[];
        wordings: {
            [key: string]: string;
        };
        sources?: {
            rubrics: {
                [key: string]: string;
            };
            methods: {
                [key: string]: string;
            };
        };
        blockers?: {
            [key: string]: string[];
        };
        versions?: {
            [key: string]: number;
        };
        subject?: "assistant" | "judges";
        imported?: {
            judgements: string;
            labels?: string;
            trials: number;
            hash: string;
        };
        shortOfExamples?: {
            method: string;
            rubric: string;
            shown: number;
            wanted: number;
        }[];
    };
    trials: number;
    planned: number;
    notes: string[];
    joined: {
        shared: number;
        runs: {
            name: string;
            cases: number;
            trials: number;
            planned: number;
            differences: string[];
        }[];
    } | null;
    assistant: AssistantReport | null;
    setups: SetupReport[];
    pareto: {
        all: {
            front: string[];
            dominated: string[];
            incomparable: string[];
        };
        cost: {
            front: string[];
            dominated: string[];
            incomparable: string[];
        };
        latency: {
            front: string[];
            dominated: string[];
            incomparable: string[];
        };
        criteria: {
            front: string[];
            dominated: string[];
            incomparable: string[];
            criteria: string[];
        } | null;
    };
    bestByCriterion: {
        criterion: string;
        best: string[];
        cases: number;
        spearman: Estimate;
        kendall: ReportMeasure;
        runnerUp: {
            id: string;
            lead: Difference;
        } | null;
    }[];
    correlations: {
        setup: string | null;
        criteria: string[];
        pairs: {
            first: string;
            second: string;
            pearson: ReportMeasure;
        }[];
        mean: ReportMeasure;
    }[];
    recall: {
        values: (string | null)[];
        run: string | null;
        cases: number;
        repeats: {
            items: number;
            cases: number;
        };
        at: {
            cutoff: number;
            recall: Estimate;
            spearman: ReportMeasure;
            kendall: ReportMeasure;
        }[];
    }[];
    groups: {
        by: string[];
        anyStopped: boolean;
        reports: {
            values: (string | null)[];
            setup: SetupReport;
        }[];
    } | null;
    equalCalls: {
        first: string;
        second: string;
        cases: number;
        scores: {
            [key: string]: Difference;
        };
        decided: {
            cases: number;
            scores: {
                [key: string]: Difference;
            };
        };
        decisions: {
            cases: number;
            passRate: Difference;
            decided: {
                cases: number;
                passRate: Difference;
            };
        };
        gaps: {
            first: {
                n: number;
                undecided: number;
                "no-quorum": number;
                unanswered: number;
            };
            second: {
                n: number;
                undecided: number;
                "no-quorum": number;
                unanswered: number;
            };
        };
        onlyFirst: number;
        onlySecond: number;
        pValue: ReportMeasure;
        holm: ReportMeasure | null;
        main: {
            measure: "f1" | "pass-rate" | "mean";
            pValue: ReportMeasure;
            holm: ReportMeasure | null;
        };
        calls: {
            first: ReportMeasure;
            second: ReportMeasure;
        };
        points: {
            cases: number;
            mean: Difference;
            pValue: ReportMeasure;
            against: {
                spearman: Difference;
                meanAbsoluteError: Difference;
            } | null;
            up: number;
            down: number;
            same: number;
        } | null;
    }[];
    panels: {
        id: string;
        judges: {
            name: string;
            accuracy: Estimate;
            ahead: {
                difference: ReportMeasure;
                interval: ReportInterval;
                pValue: ReportMeasure;
                holm: ReportMeasure | null;
            } | null;
            without: {
                accuracy: Estimate;
                same: Estimate;
                undecided: number;
            };
            altTest: {
                advantage: ReportMeasure;
                winning: ReportMeasure[];
            } | null;
        }[];
        cases: number;
        groups: number | null;
        byPeople: boolean;
        panel: {
            accuracy: Estimate;
            undecided: number;
            altTest: {
                advantage: ReportMeasure;
                winning: ReportMeasure[];
            } | null;
        };
        best: {
            names: string[];
            accuracy: Estimate;
            difference: ReportMeasure;
            interval: ReportInterval;
            pValue: ReportMeasure;
            holm: ReportMeasure | null;
        };
        shared: {
            pairs: {
                first: string;
                second: string;
                correlation: ReportMeasure;
            }[];
            mean: Estimate;
            effectiveVotes: Estimate;
            inCommon: "much" | "little" | "unknown";
            anyWrong: number;
            allWrong: number;
        };
        alpha: {
            judges: Estimate;
            people: Estimate | null;
        };
        annotators: number | null;
    }[];
    scorePanels: {
        id: string;
        judges: {
            off: Estimate;
            bias: ReportMeasure;
            correlation: ReportMeasure;
            name: string;
            ahead: {
                difference: ReportMeasure;
                interval: ReportInterval;
                pValue: ReportMeasure;
                holm: ReportMeasure | null;
            } | null;
            without: {
                off: Estimate;
                moved: ReportMeasure;
            };
        }[];
        cases: number;
        groups: number | null;
        leftOut: number;
        byPeople: boolean;
        panel: {
            off: Estimate;
            bias: ReportMeasure;
            correlation: ReportMeasure;
        };
        best: {
            names: string[];
            off: Estimate;
            difference: ReportMeasure;
            interval: ReportInterval;
            pValue: ReportMeasure;
            holm: ReportMeasure | null;
        };
        shared: {
            pairs: {
                first: string;
                second: string;
                correlation: ReportMeasure;
            }[];
            mean: Estimate;
            effectiveVotes: Estimate;
            inCommon: "much" | "little" | "unknown";
        };
    }[];
    panelsStopped: boolean;
    mistakes: {
        shown: {
            key: string;
            setup: string;
            repeat: number;
            caseId: string;
            truth: "pass" | "fail";
            outcome: "pass" | "fail" | "undecided" | "no-quorum" | "unanswered";
            errorType: string | null;
            why: string;
            words: {
                conversation: {
                    role: "user" | "system";
                    text: string;
                }[];
                response: string;
                given: string | null;
                judgements: {
                    round: number;
                    persona: string | null;
                    model: string;
                    sample: number;
                    decision: "pass" | "fail" | "scored" | "unscored";
                    score: number | null;
                    confidence: number | null;
                    reason: UnscoredReason | null;
                    text: string;
                }[];
            } | null;
        }[];
        counts: {
            [key: string]: number;
        };
    };
};
export type Rubric = {
    id: string;
    /** Its name for people. */
    title: string;
    /** Its name for people, in other languages, such as `{de: Ort}`. Judges never read it. */
    titles?: {
        /** In German. */
        de: string;
    };
    /** Where it comes from, such as a section of a paper or of your own guideline. */
    source: string;
    /** Raise it with every change of what judges read. An earlier version kept in `archive` is named `navigation@1`. Default: 1. */
    version?: number;
    /** What judges are to decide, as they read it. */
    task: string;
    /** What is judged: the response alone, or everything that the system says in the conversation. */
    judged: "response" | "interaction";
    /** Paths that a case must have, such as `recommendation`. A case without one is refused. */
    needs: string[];
    /** Paths of a case, such as `toolCalls`. A case with one of them may lack what `needs` names. */
    needsUnless?: string[];
    /** Paths of a case that select this rubric if the case names none: all of them, but of an inner list any one. Empty: only cases that name the rubric are judged by it. */
    selectedBy: (string | string[])[];
    /** Of several rubrics that fit a case, the one with the lowest rank judges it; equal ranks are an error. */
    rank: number;
    /** The criteria, in the order in which judges read them. */
    criteria: {
        /** Names the criterion in verdicts, labels and votes. */
        id: string;
        /** Its name for readers; judges read it beside the rule. */
        title: string;
        /** Its name for people, in other languages, such as `{de: Ort}`. Judges never read it. */
        titles?: {
            /** In German. */
            de: string;
        };
        /** The rule, as judges read it. */
        rule: string;
        /** A group of criteria, for readers of lists and reports. Judges never read it. */
        dimension?: string;
        /** `binary` (the default) for pass or fail, or the bounds of a score. */
        scale: "binary" | {
            /** The worst score. */
            min: number;
            /** The best score. */
            max: number;
            /** What each score means, by number; judges read it. Without levels, judges may give fractions. */
            levels?: {
                [key: string]: string;
            };
        };
        /** How to work through a case for this criterion. Only judges that reason step by step read it. */
        steps?: string;
        /** Paths of a case, such as `context.date`. If one is missing, the criterion is not judged, and the verdict says so. */
        needs: string[];
        /** Paths of a case. The rubric has this criterion only for cases with one of them; for others, it is as if it were not in the file. */
        onlyWith?: string[];
        /** Paths of a case. The rubric lacks this criterion for cases with one of them. */
        notWith?: string[];
        /** Words or phrases, such as `open now`. If the user says one, the criterion is judged even if a needed field is missing. */
        unlessSaid: string[];
        /** What a card asks for if a needed field is missing; by default, a sample line for that field. */
        ask?: string;
        /** Whether judges may find it not relevant to a case; it then neither passes nor fails. */
        mayNotApply: boolean;
        /** The exact check by which the judge `rules` decides it, without a model. */
        check?: {
            "type": "drive-at-most";
            /** The longest drive, in minutes; the limit itself passes. */
            minutes: number;
            /** For generated data: the average speed in km/h. */
            speedKmh: number;
            /** For generated data: the length of the road divided by the straight line. */
            detour: number;
            /** For generated data: how far off a drive by these assumptions may be, as a share of it. No case is generated if that could change its label. */
            uncertainty: number;
            /** Path of the drive time in minutes. */
            duration: string;
            /** Path of the distance in km. */
            distance: string;
            /** Path of the place where the drive starts. */
            start: string;
            /** Path of the place where it ends. */
            place: string;
        } | {
            "type": "open-at";
            /** Path of the opening hours. */
            hours: string;
            /** Words for a moment other than now, such as "tomorrow". With one of them, no decision. */
            lexicon?: string;
        } | {
            "type": "within-range";
            /** Path of the value. */
            field: string;
            /** What the value is called in a sentence: `latency`. */
            name: string;
            /** What is compared: the number itself, or how many words or items the field has. */
            measure: "value" | "words" | "items";
            /** Its unit in the singular: `millisecond`, `word`. */
            unit: string;
            /** The least value that passes. Default: none. */
            min?: number;
            /** The greatest value that passes. Default: none. */
            max?: number;
        } | {
            "type": "same-term";
            /** Id of the lexicon of these wishes. */
            lexicon: string;
            /** Path of the field that must name the term. */
            field: string;
            /** Paths that may show a dish which `field` seems to rule out; if one does, no decision. */
            evidence?: string[];
        } | {
            "type": "number-wish";
            /** Path of the number. */
            field: string;
            /** Id of a lexicon of number phrases. The ids of its terms are their meanings: at-least, above, at-most, below, between, around, exactly, plain; `about` has words that say what a number is about (rated, stars), `glue` words within a phrase, `beside` words between a phrase and what it is about. Terms with any other id are not checked. */
            lexicon: string;
            /** How far off "around" may be, in the unit of the field. */
            tolerance: number;
            /** The unit of the field, if every phrase says what it is about ("at least # kw"); empty if there may be several. Without it, a number must be near a word such as "rated". */
            unit?: string;
            /** What the number is called in a sentence: `charging power`. Default: the name of the field. */
            name?: string;
            /** The least number if the request names none. Default: any number passes then. */
            least?: number;
            /** What a number without a word such as "at least" means. */
            plain: "exactly" | "at-least" | "at-most";
        } | {
            "type": "has-all";
            /** Id of the lexicon of these wishes. */
            lexicon: string;
            /** Path of a text, or of a list that must be complete. */
            field: string;
            /** What it is called in a sentence: `fuel`. */
            name: string;
            /** Paths of fields that name further terms to be there, such as the car's plug; if a field names several, any one is enough. */
            required: string[];
            /** Whether a narrower term will do: premium diesel is diesel, but a left window may or may not be the front window. */
            narrower: "enough" | "unsure";
            /** Id of a lexicon with the same terms in the words of answers ("opened"), if these differ. */
            reported?: string;
            /** What it means if only some of several named terms are there: fail, or no decision. */
            some: "too-few" | "unsure";
            /** For requests that name no term but have a wish of another lexicon: "temperature to 22" implies setting it. */
            implied?: {
                /** Id of the other lexicon. */
                lexicon: string;
                /** The term that its wishes imply. */
                term: string;
            };
            /** Has no effect; rubrics written for version 0.1 may have it. */
            refused?: "wrong" | "unsure" | "no-matter";
        } | {
            "type": "at-most-field";
            /** Path of the number. */
            field: string;
            /** Path of the number that limits it, in the same unit. */
            limit: string;
            /** Which share of the limit may be used: 0.9 for 90 %. */
            share: number;
            /** What both are called in a sentence: `the distance`, `the range left`. */
            names: {
                field: string;
                limit: string;
            };
            /** The unit of both. */
            unit: string;
        } | {
            "type": "calls";
            /** Id of a car in `prompts/cars/` whose tools these are: it tells spellings of one value, defaults and what a call changes. */
            car?: string;
        } | {
            "type": "no-other-calls";
            /** Id of a car in `prompts/cars/` whose tools these are: it tells spellings of one value, defaults and what a call changes. */
            car?: string;
        } | {
            "type": "no-call-without-consent";
            /** Id of a car in `prompts/cars/` whose tools these are: it tells spellings of one value, defaults and what a call changes. */
            car?: string;
            /** Names of tools that need consent, besides those of the car: `send_message`, `book_*`. */
            tools: string[];
            /** Id of the lexicon of answers to a question, with the terms `yes` and `no`. */
            lexicon: string;
        } | {
            "type": "says-what-it-did";
            /** Id of a car in `prompts/cars/` whose tools these are: it tells spellings of one value, defaults and what a call changes. */
            car?: string;
            /** Id of the lexicon of what a response can claim to have done. Terms: what was done, as in the name of a tool; `any` for "done", `denied` for "could not", `unclear` for words that make a claim doubtful. */
            lexicon: string;
            /** Id of the lexicon of devices that the variables of the car name. */
            devices?: string;
            /** Id of the lexicon of places, whose terms are values of arguments: `driver`, `all`. Without it, nothing is decided about devices of which the car has several. */
            places?: string;
        } | {
            "type": "state-after";
            /** Id of the car in `prompts/cars/`. */
            car: string;
        } | {
            "type": "says-same";
            /** Id of a lexicon of what a response can claim ("is open", "could not"). */
            lexicon: string;
            /** Path of what is true. */
            field: string;
            /** What it is called in a sentence: `outcome`. */
            name: string;
        };
        /** `rules`: always decided by the exact check, whichever model judges the rest. */
        judgedBy: "panel" | "rules";
        /** `blocker`: an answer that newly fails it leads the digest and is posted by alerts at once. Judges never read it. */
        severity?: "blocker";
    }[];
    /** How to work through a case. Only judges that reason step by step read it. */
    steps?: string;
    /** Kinds of error, besides the criteria, that people can name when they correct a verdict. */
    errorTypes: {
        id: string;
        title: string;
        /** Its name for people, in other languages, such as `{de: Ort}`. Judges never read it. */
        titles?: {
            /** In German. */
            de: string;
        };
        meaning: string;
    }[];
    /** How many characters of documents judges read at most. Documents beyond that are left out, and the verdict says so. */
    documentChars: number;
    /** `all`: a case passes if every criterion passes. `mean`: its score is the mean of the criteria's scores. */
    decide: "all" | "mean";
    /** Ids of the personas on the panel, unless a request names others. */
    panel: string[];
    /** The one question that the panel answers once the criteria are rated. For methods with `ratedFirst`. */
    overall?: {
        /** Its name for readers; judges read it beside the rule. */
        title: string;
        /** Its name for people, in other languages, such as `{de: Ort}`. Judges never read it. */
        titles?: {
            /** In German. */
            de: string;
        };
        /** What the panel decides; replaces the rubric's task. */
        task: string;
        /** The rule, as judges read it. */
        rule: string;
        /** The question as people in a study read it. Default: the rule. */
        forPeople?: string;
        /** The bounds of the score. */
        scale: "binary" | {
            /** The worst score. */
            min: number;
            /** The best score. */
            max: number;
            /** What each score means, by number; judges read it. Without levels, judges may give fractions. */
            levels?: {
                [key: string]: string;
            };
        };
    };
    /** The criteria whose ratings a persona is shown, by persona id. Other personas see all ratings. */
    interests: {
        [key: string]: string[];
    };
    /** Who is shown a field, by its path, such as `groundTruth`: ids of criteria and of personas. A judge is shown it when asked about one of these criteria, or as one of these personas; people in a study, beside the questions about these criteria. An empty list: nobody. Other fields are shown to all, except `expectedCalls`, `initialState` and `expectedState`: only to those named here, and beside criteria that need them. */
    seenBy?: {
        [key: string]: string[];
    };
    /** Whether judges are told the weekday of the request's date. Default: true. */
    weekday?: boolean;
    /** Whether judges may leave a criterion open, as `unscored`, where the case lacks what its rule needs. Default: true. */
    mayLeaveOpen?: boolean;
    /** Id of the method that judges unless a request names another. */
    method: string;
};
export type Method = {
    id: string;
    /** Its name for people. */
    title: string;
    /** Its name for people, in other languages, such as `{de: Ort}`. Judges never read it. */
    titles?: {
        /** In German. */
        de: string;
    };
    /** Where it comes from, such as a section of a paper. */
    source: string;
    /** Who is on the panel: `one` judge, one for each of the `personas` or `models`, `personas-and-models` (each persona with each model), `pairs` (the first persona with the first model, and so on), `{samples: n}` (one judge asked n times) or `{agents: n}` (n judges that share the models in turn). */
    seats: "one" | "personas" | "models" | "personas-and-models" | "pairs" | {
        samples: number;
    } | {
        agents: number;
    };
    /** Worked examples shown to judges: the rubric's first ones. */
    examples: number;
    /** What judges write before they decide: nothing (rationales are then null), a short reason, or their reasoning step by step. */
    reasoning: "none" | "brief" | "stepwise";
    /** Whether a judge answers all criteria in one call, or each in a call of its own. */
    criteria: "together" | "one-by-one";
    /** Has one neutral judge per model rate the criteria first. The panel then sees the ratings that interest its personas, and answers the rubric's overall question instead of the criteria. */
    ratedFirst?: {
        /** Whether all criteria are rated in one reply, or each in a call of its own. */
        criteria: "together" | "one-by-one";
        /** Worked examples shown to raters: the rubric's first ones. */
        examples: number;
        /** Whether raters give no reason, a short one, or reason step by step. */
        reasoning: "none" | "brief" | "stepwise";
        /** Sampling temperature of the ratings. */
        temperature: number;
    };
    /** Whether one judge plays all of the panel's personas, and lets them criticize each other. */
    playsPanel: boolean;
    /** Maximum number of rounds. From the second on, judges may see what was said and answer again. */
    rounds: number;
    /** Whose answers judges see from the second round on. With one round, it must be `nothing`. */
    sees: "nothing" | "last-round" | "all-rounds";
    /** When to stop early: `decided` asks no more judges once the majority is decided, `unanimous` ends a debate once all judges agree. */
    stop: "never" | "decided" | "unanimous";
    /** How answers become one: the answer with the most votes, with the most weight by stated confidence, or the mean of the scores. A tie is undecided. */
    reduce: "majority" | "weighted" | "mean";
    /** Whether judges state how sure they are, from 0 to 1. */
    confidence: boolean;
    /** Sampling temperature. */
    temperature: number;
};
export type Persona = {
    id: string;
    /** Its name for people; judges in a debate read it, too. */
    title: string;
    /** Its name for people, in other languages, such as `{de: Ort}`. Judges never read it. */
    titles?: {
        /** In German. */
        de: string;
    };
    /** Where it comes from, such as a section of a paper. */
    source: string;
    /** Raise it with every change of the voice. An earlier version kept in `archive` is named `auditor@1`. Default: 1. */
    version?: number;
    /** Has no effect; personas written for version 0.1 may have it. */
    lens?: "request" | "evidence" | "rule";
    /** The variables of the voice, written `{{name}}` in it. */
    settings?: {
        [key: string]: {
            /** What the value is, such as `the name on the car`. */
            title: string;
            /** The value if a request gives none. */
            "default": string;
        };
    };
    /** The point of view, in the second person: "You are an auditor …" */
    voice: string;
};
export type Model = {
    /** `provider/model`, or `rules` for the exact checks. */
    id: string;
    /** Whether it can be asked: its provider has a key here. */
    ready: boolean;
    [key: string]: any;
};
export type Progress = {
    request: string;
    /** How far the judges are, in a line. */
    title: string;
    note: string | null;
    judges: {
        name: string;
        /** The judge’s latest answer as a symbol. */
        mark: string;
        /** Its reason; empty before it has answered. */
        text: string;
        state: "waiting" | "asked" | "answered";
    }[];
    /** How many answers there are; absent where people vote before they see the verdict. */
    answers?: {
        /** By the panel, in all rounds so far. */
        given: number;
        /** If there are as many rounds as there can be. */
        most: number;
    };
    /** Whether someone is stopping the judging. */
    stopping: boolean;
};
export type ProgressEvent = {
    /** Send it as `Last-Event-ID` to go on after it. */
    id: number;
    event: "progress";
    data: Progress;
};
export type VerdictEvent = {
    /** Send it as `Last-Event-ID` to go on after it. */
    id: number;
    event: "verdict";
    data: Verdict | HiddenVerdict;
};
export type ErrorEvent = {
    event: "error";
    data: Problem;
};
export type JudgingEvent = ProgressEvent | VerdictEvent | ErrorEvent;
/**
 * Judge a case
 */
export function judge(body: PasteToJudge | CaseToJudge, { idempotencyKey, lastEventId }: {
    idempotencyKey?: string;
    lastEventId?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: Verdict | HiddenVerdict;
    } | {
        status: 400;
        data: ErrorResponse;
    } | {
        status: 401;
        data: ErrorResponse;
    } | {
        status: 403;
        data: ErrorResponse;
    } | {
        status: 404;
        data: ErrorResponse;
    } | {
        status: 409;
        data: ErrorResponse;
    } | {
        status: 413;
        data: ErrorResponse;
    } | {
        status: 422;
        data: ErrorResponse;
    } | {
        status: 429;
        data: ErrorResponse;
    } | {
        status: 502;
        data: ErrorResponse;
    } | {
        status: 503;
        data: ErrorResponse;
    }>("/verdicts", oazapfts.json({
        ...opts,
        method: "POST",
        body,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey,
            "Last-Event-ID": lastEventId
        })
    }));
}
/**
 * Verdicts, the newest first
 */
export function listVerdicts({ q, rubric, decision, since, cursor, limit }: {
    q?: string;
    rubric?: string;
    decision?: Decision;
    since?: string;
    cursor?: string;
    limit?: number;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: VerdictPage;
    } | {
        status: 400;
        data: ErrorResponse;
    } | {
        status: 401;
        data: ErrorResponse;
    } | {
        status: 403;
        data: ErrorResponse;
    } | {
        status: 503;
        data: ErrorResponse;
    }>(`/verdicts${QS.query(QS.explode({
        q,
        rubric,
        decision,
        since,
        cursor,
        limit
    }))}`, {
        ...opts
    });
}
/**
 * One verdict
 */
export function getVerdict(id: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: Verdict | HiddenVerdict;
    } | {
        status: 401;
        data: ErrorResponse;
    } | {
        status: 403;
        data: ErrorResponse;
    } | {
        status: 404;
        data: ErrorResponse;
    } | {
        status: 503;
        data: ErrorResponse;
    }>(`/verdicts/${encodeURIComponent(id)}`, {
        ...opts
    });
}
/**
 * Vote, change a vote or take it back
 */
export function vote(id: string, newVote: NewVote, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: Vote;
    } | {
        status: 400;
        data: ErrorResponse;
    } | {
        status: 401;
        data: ErrorResponse;
    } | {
        status: 403;
        data: ErrorResponse;
    } | {
        status: 404;
        data: ErrorResponse;
    } | {
        status: 409;
        data: ErrorResponse;
    } | {
        status: 413;
        data: ErrorResponse;
    } | {
        status: 422;
        data: ErrorResponse;
    } | {
        status: 429;
        data: ErrorResponse;
    } | {
        status: 503;
        data: ErrorResponse;
    }>(`/verdicts/${encodeURIComponent(id)}/vote`, oazapfts.json({
        ...opts,
        method: "PUT",
        body: newVote
    }));
}
/**
 * All runs of benchmarks, the newest first
 */
export function listRuns(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: RunSummary[];
    } | {
        status: 401;
        data: ErrorResponse;
    } | {
        status: 403;
        data: ErrorResponse;
    } | {
        status: 503;
        data: ErrorResponse;
    }>("/runs", {
        ...opts
    });
}
/**
 * The report of one run
 */
export function getRun(name: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: Report;
    } | {
        status: 401;
        data: ErrorResponse;
    } | {
        status: 403;
        data: ErrorResponse;
    } | {
        status: 404;
        data: ErrorResponse;
    } | {
        status: 503;
        data: ErrorResponse;
    }>(`/runs/${encodeURIComponent(name)}`, {
        ...opts
    });
}
/**
 * The standards that answers are judged by
 */
export function listRubrics(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: Rubric[];
    } | {
        status: 401;
        data: ErrorResponse;
    } | {
        status: 403;
        data: ErrorResponse;
    } | {
        status: 503;
        data: ErrorResponse;
    }>("/rubrics", {
        ...opts
    });
}
/**
 * The ways of judging
 */
export function listMethods(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: Method[];
    } | {
        status: 401;
        data: ErrorResponse;
    } | {
        status: 403;
        data: ErrorResponse;
    } | {
        status: 503;
        data: ErrorResponse;
    }>("/methods", {
        ...opts
    });
}
/**
 * The points of view that judges have
 */
export function listPersonas(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: Persona[];
    } | {
        status: 401;
        data: ErrorResponse;
    } | {
        status: 403;
        data: ErrorResponse;
    } | {
        status: 503;
        data: ErrorResponse;
    }>("/personas", {
        ...opts
    });
}
/**
 * The models that judges can be
 */
export function listModels(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: Model[];
    } | {
        status: 401;
        data: ErrorResponse;
    } | {
        status: 403;
        data: ErrorResponse;
    } | {
        status: 503;
        data: ErrorResponse;
    }>("/models", {
        ...opts
    });
}
